import Moho

extension ResultsUpdates {
  /// Calls a closure with each update until the task is canceled.
  ///
  /// - Parameter onOutage: A closure that is called if the server of the store is not
  ///   available. An update follows when it is available again.
  /// - Throws: The errors of the closures, and errors of the store that are no outages.
  public func forEach(
    onOutage: (StoreError) throws -> Void, _ body: (ResultsUpdate<Model>) throws -> Void
  ) async throws {
    var updates = makeAsyncIterator()
    while !Task.isCancelled {
      let update: ResultsUpdate<Model>?
      do { update = try await updates.next() } catch let error as StoreError where error.isOutage {
        try onOutage(error)
        continue
      }
      guard let update else { return }
      try body(update)
    }
  }
}
