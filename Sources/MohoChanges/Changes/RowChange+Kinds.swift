extension RowChange {
  /// Returns the record of an inserted row. `new` is in new space.
  public static func insert(_ rowID: Int64, at new: RowPath) -> RowChange {
    RowChange(rowID: rowID, old: nil, new: new, content: .unchanged, isMove: false)
  }

  /// Returns the record of a deleted row. `old` is in old space.
  public static func delete(_ rowID: Int64, at old: RowPath) -> RowChange {
    RowChange(rowID: rowID, old: old, new: nil, content: .unchanged, isMove: false)
  }

  /// Returns the record of a row whose content changed and that did not move.
  ///
  /// `old` is in old space, `new` in new space. They can differ if other rows
  /// or sections were inserted or deleted before the row.
  public static func update(
    _ rowID: Int64, from old: RowPath, to new: RowPath, changed keys: [String]
  ) -> RowChange {
    RowChange(rowID: rowID, old: old, new: new, content: Content(keys), isMove: false)
  }

  /// Returns the record of a row that moved, with the keys that changed at the
  /// same time.
  ///
  /// `old` is in old space, `new` in new space.
  public static func move(
    _ rowID: Int64, from old: RowPath, to new: RowPath, changed keys: [String] = []
  ) -> RowChange {
    RowChange(rowID: rowID, old: old, new: new, content: Content(keys), isMove: true)
  }
}

extension RowChange.Content {
  init(_ keys: [String]) {
    self = keys.isEmpty ? .unchanged : .changed(keys)
  }
}

extension RowChange: CustomStringConvertible {
  /// One line, such as `update [0, 3] → [0, 4] changed title`.
  public var description: String {
    let paths = [old, new].compactMap { $0?.description }.joined(separator: " → ")
    let keys = changedKeys.isEmpty ? "" : " changed \(changedKeys.joined(separator: ", "))"
    return "\(kind) \(paths)\(keys)"
  }
}
