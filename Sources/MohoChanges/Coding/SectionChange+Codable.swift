extension SectionChange: Codable {
  private enum CodingKeys: String, CodingKey {
    case delete
    case insert
    case update
    case key
    case changed
  }

  /// Decodes the record of a section.
  ///
  /// - Throws: A `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var found: [(kind: Kind, index: Int)] = []
    for (kind, name) in [(Kind.delete, CodingKeys.delete), (.insert, .insert), (.update, .update)] {
      if let index = try container.decodeIfPresent(Int.self, forKey: name) {
        found.append((kind, index))
      }
    }
    guard let record = found.first, found.count == 1 else {
      throw ChangeSetError(
        .invalidRecord,
        "found \(found.count) of `delete`, `insert` and `update`, expected one of them"
      ).decodingError(at: decoder.codingPath)
    }
    try RowPath.check(record.index, at: decoder.codingPath)
    let changedKeys = try container.decodeIfPresent([String].self, forKey: .changed) ?? []
    guard changedKeys.isEmpty == (record.kind != .update) else {
      throw ChangeSetError(
        .invalidRecord,
        "found \(changedKeys.count) changed keys of a section with the record "
          + "`\(record.kind)`, expected \(record.kind == .update ? "some" : "none")"
      ).decodingError(at: decoder.codingPath)
    }
    self.init(
      kind: record.kind, key: try container.decode(SectionKey.self, forKey: .key),
      index: record.index, changedKeys: changedKeys)
  }

  /// Encodes the index, as `delete`, `insert` or `update`, the key of the section,
  /// and the changed keys if there are any.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch kind {
    case .delete: try container.encode(index, forKey: .delete)
    case .insert: try container.encode(index, forKey: .insert)
    case .update: try container.encode(index, forKey: .update)
    }
    try container.encode(key, forKey: .key)
    if !changedKeys.isEmpty { try container.encode(changedKeys, forKey: .changed) }
  }
}

/// The JSON form of the key of a section.
///
/// | key | JSON |
/// |---|---|
/// | `null` | `null` |
/// | a number | a number: `5`, `2.5` |
/// | a text | a string: `"Drama"` |
/// | an integer beyond 2⁵³ − 1 | `{"integer": "9007199254740993"}` |
/// | an infinite number | `{"real": "Infinity"}`, `{"real": "-Infinity"}` |
/// | the section of an unsectioned list | `{"all": true}` |
///
/// Numbers have no type in JSON. A real number without a fraction is decoded as
/// an integer, which is equal to it. A number beyond 2⁵³ − 1 is the nearest
/// real number, because its digits are not exact.
extension SectionKey: Codable {
  private enum CodingKeys: String, CodingKey {
    case all
    case integer
    case real
  }

  /// Decodes a key.
  ///
  /// - Throws: A `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Int64.self), PortableInteger(value).isExactAsDouble
    {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else {
      self = try Self.decodeObject(decoder)
    }
  }

  private static func decodeObject(_ decoder: any Decoder) throws -> SectionKey {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let value = try container.decodeIfPresent(PortableInteger.self, forKey: .integer) {
      return .integer(value.value)
    }
    switch try container.decodeIfPresent(String.self, forKey: .real) {
    case "Infinity": return .real(.infinity)
    case "-Infinity": return .real(-.infinity)
    default: break
    }
    if try container.decodeIfPresent(Bool.self, forKey: .all) == true { return .all }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "invalid section key: found an object of unknown form, "
          + "expected `all`, `integer` or `real`"))
  }

  /// Encodes the key. Not-a-number is written as null, as SQLite stores it.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .all:
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(true, forKey: .all)
    case .integer(let value) where !PortableInteger(value).isExactAsDouble:
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(PortableInteger(value), forKey: .integer)
    case .real(let value) where value.isInfinite:
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(value > 0 ? "Infinity" : "-Infinity", forKey: .real)
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .integer(let value): try container.encode(value)
      case .real(let value) where !value.isNaN: try container.encode(value)
      case .text(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }
}
