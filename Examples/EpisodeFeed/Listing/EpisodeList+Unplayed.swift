import Moho

extension EpisodeList {
  /// Runs a closure with the request for the episodes that are played, or not
  /// played, without the maximum number: some of its rows may be beyond the end of
  /// the list. See ``withRequest(_:)``.
  func withRequest<Result>(
    isPlayed: Bool, _ body: (ModelRequest<Episode>) throws -> Result
  ) throws -> Result {
    try withRequest { try body($0.limit(nil).filter { $0.isPlayed == isPlayed }) }
  }

  /// The row ids of the episodes that are not played. Some may be beyond the end
  /// of a list with a ``limit``.
  ///
  /// - Throws: `StoreError`.
  public func unplayedRowIDs(in store: ModelStore) throws -> [Int64] {
    try withRequest(isPlayed: false) { try store.fetchIdentities($0) }
  }
}
