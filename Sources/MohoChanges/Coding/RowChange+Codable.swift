extension RowChange: Codable {
  private enum CodingKeys: String, CodingKey {
    case id
    case old
    case new
    case move
    case changed
  }

  /// Decodes the record of a row.
  ///
  /// - Throws: A `DecodingError`. If the record contradicts itself, its
  ///   underlying error is a ``ChangeSetError``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let keys = try container.decodeIfPresent([String].self, forKey: .changed)
    self.init(
      rowID: try container.decode(PortableInteger.self, forKey: .id).value,
      old: try container.decodeIfPresent(RowPath.self, forKey: .old),
      new: try container.decodeIfPresent(RowPath.self, forKey: .new),
      content: keys.map { .changed($0) } ?? .unchanged,
      isMove: try container.decodeIfPresent(Bool.self, forKey: .move) ?? false)
    if let contradiction {
      throw ChangeSetError(.invalidRecord, contradiction, rowID: rowID)
        .decodingError(at: decoder.codingPath)
    }
  }

  /// Encodes the ID, the paths that exist, whether the row moved, and the
  /// changed keys.
  ///
  /// `move` is written if it is true, and `changed` if there are changed keys.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(PortableInteger(rowID), forKey: .id)
    try container.encodeIfPresent(old, forKey: .old)
    try container.encodeIfPresent(new, forKey: .new)
    if isMove { try container.encode(true, forKey: .move) }
    if !changedKeys.isEmpty { try container.encode(changedKeys, forKey: .changed) }
  }

  private var contradiction: String? {
    switch (old, new) {
    case (nil, nil):
      "found no path, expected an old path, a new path, or both"
    case (nil, _?) where isMove || content != .unchanged,
      (_?, nil) where isMove || content != .unchanged:
      "found a move or changed keys with one path, expected both paths"
    case (_?, _?) where !isMove && content == .unchanged:
      "found neither a move nor changed keys, expected at least one of them"
    default:
      content == .changed([]) ? "found an empty list of changed keys, expected no list" : nil
    }
  }
}

extension RowPath: Codable {
  /// The largest index of a section or row that can be decoded. It leaves room
  /// for sums of indexes on all platforms.
  static let maximumIndex = 1 << 30

  /// Decodes an array of the section and the row.
  ///
  /// - Throws: A `DecodingError`. If an index is negative or greater than 2³⁰,
  ///   its underlying error is a ``ChangeSetError``.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(section: try container.decode(Int.self), row: try container.decode(Int.self))
    guard container.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "invalid path: found more than two numbers, expected two")
    }
    try Self.check(section, at: decoder.codingPath)
    try Self.check(row, at: decoder.codingPath)
  }

  /// Encodes an array of the section and the row, such as `[2,5]`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(section)
    try container.encode(row)
  }

  static func check(_ index: Int, at codingPath: [any CodingKey]) throws {
    guard index >= 0, index <= maximumIndex else {
      throw ChangeSetError(.invalidIndex, "found \(index), expected 0 to \(maximumIndex)")
        .decodingError(at: codingPath)
    }
  }
}
