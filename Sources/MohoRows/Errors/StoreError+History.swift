/// The errors of histories.
extension StoreError {
  package static var noHistory: StoreError {
    StoreError(
      .noHistory, reason: "the store does not record its history",
      suggestion: "set `history` of the configuration to `.enabled()`")
  }

  package static var deletedHistory: StoreError {
    StoreError(
      .historyDeleted, reason: "changes after the token have been deleted from the history",
      suggestion: "read all rows, and continue from the current token")
  }

  /// Returns the error for a token that belongs to another store.
  package static func foreignToken(_ reason: String) -> StoreError {
    StoreError(
      .foreignHistoryToken, reason: reason,
      suggestion: "read all rows, and continue from the current token")
  }
}
