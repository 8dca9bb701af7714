extension RowChange {
  /// A row that came to stand at a path in new space.
  public static func insert(_ rowID: Int64, at new: RowPath) -> RowChange {
    RowChange(rowID: rowID, old: nil, new: new, content: .unchanged, isMove: false)
  }

  /// A row that stood at a path in old space.
  public static func delete(_ rowID: Int64, at old: RowPath) -> RowChange {
    RowChange(rowID: rowID, old: old, new: nil, content: .unchanged, isMove: false)
  }

  /// A row that kept its place among its neighbors and whose keys changed.
  ///
  /// `old` is in old space, `new` in new space.
  public static func update(
    _ rowID: Int64, from old: RowPath, to new: RowPath, changed keys: [String]
  ) -> RowChange {
    RowChange(rowID: rowID, old: old, new: new, content: Content(keys), isMove: false)
  }

  /// A row that changed its place, and the keys that changed with it.
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
    let places = [old, new].compactMap { $0?.description }.joined(separator: " → ")
    let keys = changedKeys.isEmpty ? "" : " changed \(changedKeys.joined(separator: ", "))"
    return "\(kind) \(places)\(keys)"
  }
}
