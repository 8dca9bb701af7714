/// A value of a `Decoder`.
// Lazy, and not a `JSONValue`: `Codable` values must be decoded by their own format.
enum DecoderValue {
  /// The value of a decoder.
  case whole(any Decoder)
  /// An existing member of an object.
  case member(Members, AnyCodingKey)

  /// The members of an object.
  typealias Members = KeyedDecodingContainer<AnyCodingKey>

  /// The result of a lookup.
  enum Finding {
    case nothing
    case null
    case value(DecoderValue)
    /// A value of another type than the path requires, after some steps.
    case obstacle(DecoderValue, steps: Int, expected: String)

    fileprivate var isNothing: Bool { if case .nothing = self { true } else { false } }
  }

  /// Follows a path from the members of an object; if it collects, up to the array.
  static func find(_ path: FieldPath, in members: Members) -> Finding {
    guard case .key(let name)? = path.components.first else { return .nothing }
    return find(path.components[1...], from: member(name, of: members))
  }

  /// Follows the rest of a path.
  static func find(
    _ path: ArraySlice<FieldPath.Component>, from start: Finding
  ) -> Finding {
    var found = start
    for (steps, component) in zip(path.indices, path) {
      guard case .value(let value) = found else { return found }
      switch component {
      case .each:
        guard value.elements != nil else {
          return .obstacle(value, steps: steps, expected: "array")
        }
        return found
      case .key(let name):
        guard let members = value.members else {
          return .obstacle(value, steps: steps, expected: "object")
        }
        found = member(name, of: members)
      case .index(let index):
        guard let elements = value.elements else {
          return .obstacle(value, steps: steps, expected: "array")
        }
        guard elements.indices.contains(index) else { return .nothing }
        found = elements[index].map { .value($0) } ?? .null
      }
    }
    return found
  }

  /// The number of steps of a path to its value, or to a value that blocks it. Nil if
  /// the path does not exist.
  static func reach(_ path: FieldPath, in members: Members) -> Int? {
    guard case .key(let name)? = path.components.first else { return nil }
    var found = member(name, of: members)
    for (steps, component) in path.components.enumerated().dropFirst() {
      guard case .value = found else { return found.isNothing ? nil : steps }
      found = find([component], from: found)
      if case .obstacle = found { return steps }
    }
    return found.isNothing ? nil : path.components.count
  }

  private static func member(_ name: String, of members: Members) -> Finding {
    let name = AnyCodingKey(name)
    guard members.contains(name) else { return .nothing }
    let value = DecoderValue.member(members, name)
    return value.isNull ? .null : .value(value)
  }
}

extension DecoderValue {
  /// A member or element that no key is mapped to. Its value is nil if it is null.
  struct UnknownMember {
    let path: FieldPath
    let value: DecoderValue?
  }

  /// The unknown members of an object and of the values on the paths of keys, sorted by
  /// name.
  static func unknown(in members: Members, _ claims: ClaimedPaths) -> [UnknownMember] {
    unknown(in: members, claims, at: FieldPath([]))
  }

  private static func unknown(
    in members: Members, _ claims: ClaimedPaths, at path: FieldPath
  ) -> [UnknownMember] {
    members.allKeys.map(\.stringValue).sorted().flatMap { name in
      let value = DecoderValue.member(members, AnyCodingKey(name))
      return unknown(
        in: value.isNull ? nil : value, claims[member: name], at: path.appending(.key(name)))
    }
  }

  private static func unknown(
    in value: DecoderValue?, _ claims: ClaimedPaths?, at path: FieldPath
  ) -> [UnknownMember] {
    guard let claims else { return [UnknownMember(path: path, value: value)] }
    if claims.isObject, let members = value?.members {
      if claims.isValue(withMember: { members.contains(AnyCodingKey($0)) }) { return [] }
      return unknown(in: members, claims, at: path)
    }
    guard claims.isArray, let elements = value?.elements else { return [] }
    return elements.enumerated().flatMap { index, element -> [UnknownMember] in
      // Null before another element is padding.
      let isPadding = element == nil && index + 1 < elements.count
      return isPadding
        ? [] : unknown(in: element, claims[element: index], at: path.appending(.index(index)))
    }
  }
}

extension DecoderValue {
  var isNull: Bool {
    switch self {
    case .whole(let decoder): (try? decoder.singleValueContainer().decodeNil()) ?? false
    case .member(let members, let name): (try? members.decodeNil(forKey: name)) ?? false
    }
  }

  /// Decodes the value as a type.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    switch self {
    case .whole(let decoder): try decoder.singleValueContainer().decode(type)
    case .member(let members, let name): try members.decode(type, forKey: name)
    }
  }

  /// Decodes a scalar.
  func scalar<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do {
      return try decode(type)
    } catch {
      guard let preserved else { throw error }
      return try preserved.decode(type)
    }
  }

  /// The members of an object; nil for other values.
  var members: Members? {
    guard let decoder, let members = try? decoder.container(keyedBy: AnyCodingKey.self) else {
      return nil
    }
    guard members.contains(AnyCodingKey(PreservedJSON.name)),
      let preserved = Self.preserved(in: members, of: decoder)
    else { return members }
    return preserved.members
  }

  /// The elements of an array, nil for null elements; nil for other values.
  var elements: [DecoderValue?]? {
    guard var container = try? decoder?.unkeyedContainer() else { return preserved?.elements }
    var elements: [DecoderValue?] = []
    while !container.isAtEnd {
      do {
        elements.append(try container.decodeNil() ? nil : .whole(container.superDecoder()))
      } catch {
        return nil
      }
    }
    return elements
  }

  var decoder: (any Decoder)? {
    switch self {
    case .whole(let decoder): decoder
    case .member(let members, let name): try? members.superDecoder(forKey: name)
    }
  }

  /// The value in a message, such as `string "12a"`.
  var summary: String {
    if isNull { return "null" }
    if let text = try? decode(String.self) { return "string \(quoted(text))" }
    if let flag = try? decode(Bool.self) { return "\(flag)" }
    if let integer = try? decode(Int64.self) { return "number \(integer)" }
    if let number = try? decode(Double.self) { return "number \(number)" }
    if members != nil { return "object" }
    return elements == nil ? "another value" : "array"
  }
}

/// A coding key of any name.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension FieldPath {
  /// The path of a coder.
  init(codingPath: [any CodingKey]) {
    self.init(codingPath.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) })
  }
}
