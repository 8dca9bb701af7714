extension WrittenRows {
  /// The identities of the rows that some of the rows were linked to before the
  /// transaction by a column, or nil where that is not known of each.
  func formerLinks(_ column: String, of rows: Set<Int64>) -> Set<Int64>? {
    rows.allSatisfy { before[$0] == .absent } ? [] : nil
  }
}
