import Moho

extension EpisodeList {
  /// Returns the request for the episodes that are played, or not played, without the
  /// maximum number: some of its rows may be beyond the end of the list.
  func request(isPlayed: Bool) -> ModelRequest<Episode> {
    request.limit(nil).filter { $0.isPlayed == isPlayed }
  }

  /// The row ids of the episodes that are not played. Some may be beyond the end
  /// of a list with a ``limit``.
  ///
  /// - Throws: `StoreError`.
  public func unplayedRowIDs(in store: ModelStore) throws -> [Int64] {
    try store.fetchIdentities(request(isPlayed: false))
  }
}
