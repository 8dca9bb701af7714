/// A value inside what a `Decoder` reads.
enum CodedValue {
  /// All that a decoder reads.
  case whole(any Decoder)
  /// A member of an object, which is there.
  case member(CodedMembers, CodedName)

  /// The members of an object.
  typealias CodedMembers = KeyedDecodingContainer<CodedName>

  /// What there is at a path.
  enum Finding {
    case nothing
    case null
    case value(CodedValue)
    /// A value that the path cannot lead through, behind as many steps.
    case obstacle(CodedValue, steps: Int, expected: String)
  }

  /// Follows a path from the members of an object; where it collects, to the
  /// array.
  static func find(_ path: FieldPath, in members: CodedMembers) -> Finding {
    guard case .key(let name)? = path.components.first else { return .nothing }
    return find(path.components[1...], from: member(name, of: members))
  }

  /// Follows the last steps of a path.
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

  private static func member(_ name: String, of members: CodedMembers) -> Finding {
    let name = CodedName(name)
    guard members.contains(name) else { return .nothing }
    let value = CodedValue.member(members, name)
    return value.isNull ? .null : .value(value)
  }
}

extension CodedValue {
  /// What no key is mapped to: its path, and its value unless that is null.
  struct UnknownMember {
    let path: FieldPath
    let value: CodedValue?
  }

  /// What no key is mapped to among some members and in what holds keys, by
  /// ascending name.
  static func unknown(in members: CodedMembers, _ claims: ClaimedPaths) -> [UnknownMember] {
    unknown(in: members, claims, at: FieldPath([]))
  }

  private static func unknown(
    in members: CodedMembers, _ claims: ClaimedPaths, at path: FieldPath
  ) -> [UnknownMember] {
    members.allKeys.map(\.stringValue).sorted().flatMap { name in
      let value = CodedValue.member(members, CodedName(name))
      return unknown(
        in: value.isNull ? nil : value, claims[member: name], at: path.appending(.key(name)))
    }
  }

  private static func unknown(
    in value: CodedValue?, _ claims: ClaimedPaths?, at path: FieldPath
  ) -> [UnknownMember] {
    guard let claims else { return [UnknownMember(path: path, value: value)] }
    if claims.isObject, let members = value?.members {
      if claims.isValue(withMember: { members.contains(CodedName($0)) }) { return [] }
      return unknown(in: members, claims, at: path)
    }
    guard claims.isArray, let elements = value?.elements else { return [] }
    return elements.enumerated().flatMap { index, element -> [UnknownMember] in
      // Null before another element only keeps the place of that.
      let isPadding = element == nil && index + 1 < elements.count
      return isPadding
        ? [] : unknown(in: element, claims[element: index], at: path.appending(.index(index)))
    }
  }
}

extension CodedValue {
  var isNull: Bool {
    switch self {
    case .whole(let decoder): (try? decoder.singleValueContainer().decodeNil()) ?? false
    case .member(let members, let name): (try? members.decodeNil(forKey: name)) ?? false
    }
  }

  /// The value as one of a type, which the decoder knows or can make.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    switch self {
    case .whole(let decoder): try decoder.singleValueContainer().decode(type)
    case .member(let members, let name): try members.decode(type, forKey: name)
    }
  }

  /// The members of an object, nil where the value is none.
  var members: CodedMembers? {
    try? decoder?.container(keyedBy: CodedName.self)
  }

  /// The elements of an array, nil for those that are null; nil where the value
  /// is none.
  var elements: [CodedValue?]? {
    guard var container = try? decoder?.unkeyedContainer() else { return nil }
    var elements: [CodedValue?] = []
    while !container.isAtEnd {
      do {
        elements.append(try container.decodeNil() ? nil : .whole(container.superDecoder()))
      } catch {
        return nil
      }
    }
    return elements
  }

  private var decoder: (any Decoder)? {
    switch self {
    case .whole(let decoder): decoder
    case .member(let members, let name): try? members.superDecoder(forKey: name)
    }
  }

  /// What the value looks like in a message, such as `string "12a"`.
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

/// Any name of a member.
struct CodedName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension FieldPath {
  /// The way that a coder took.
  init(codingPath: [any CodingKey]) {
    self.init(codingPath.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) })
  }
}
