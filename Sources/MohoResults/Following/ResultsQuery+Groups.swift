import MohoMapping
import MohoRows

extension ResultsQuery {
  /// Whether commits that may change the group of a row create a new state, even if the
  /// visible rows are unchanged.
  var reportsGroups: Bool { result.request.groupLimit != nil && groupRequest == nil }

  /// Reads the keys of the groups of all rows.
  ///
  /// - Returns: Nil if another program has stored a value that does not have its type.
  func groupKeys(_ reader: StoreReader) throws -> [Int64: GroupKey]? {
    guard let groupRequest else { return [:] }
    return try keys { body in try reader.session.forEachRow(of: groupRequest, body) }
  }

  /// Reads the keys of the groups of some rows. Omits rows that are not in the result.
  ///
  /// - Returns: Nil if another program has stored a value that does not have its type.
  func groupKeys(of rowIDs: Set<Int64>, _ reader: StoreReader) throws -> [Int64: GroupKey]? {
    if groupRequest == nil { return [:] }
    return try keys { body in
      try rows.forEachRow(among: rowIDs, reader) { try body($0, $1[...]) }
    }
  }

  private func keys(
    _ forEachRow: ((_ rowID: Int64, _ values: ArraySlice<FieldContent>) throws -> Void) throws
      -> Void
  ) throws -> [Int64: GroupKey]? {
    var keys: [Int64: GroupKey] = [:]
    do {
      try forEachRow { rowID, values in keys[rowID] = GroupKey(values) }
    } catch is UnreadableValue {
      return nil
    }
    return keys
  }
}
