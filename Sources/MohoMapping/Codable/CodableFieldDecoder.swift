import Foundation

/// Decodes the fields of one object of a `Decoder`, or the parts of an array or dictionary.
final class CodableFieldDecoder: FieldDecoder {
  /// What the indices of fields refer to.
  private enum Shape {
    case object(DecoderValue.Members, FieldKeys)
    /// Elements or members, nil for null, and the path of the value in each.
    case parts([(step: FieldPath.Component, value: DecoderValue?)], inside: FieldPath)
    case unknown([DecoderValue.UnknownMember])
    /// One value, nil for null.
    case whole(DecoderValue?)
  }

  private let path: FieldPath
  /// The nesting level of the model or its parts, from 1.
  private let depth: Int
  /// Whether store-only keys are decoded.
  private let isStored: Bool
  private let shape: Shape
  /// The decoder of all keys of the object, if these are inlined.
  private let outer: CodableFieldDecoder?
  /// The unknown members, once they were searched for.
  private var unknown: [DecoderValue.UnknownMember]?
  /// The paths of the other keys of an object, if the value is a model that is inlined in
  /// it and receives its unknown members. Text of a store contains the model alone.
  private var division: ClaimedPaths?
  /// The last lookup: a mapping often asks for a key's absence, null and value in turn.
  private var last: (index: Int, found: CodableField)?

  /// Creates a decoder of an object's keys.
  ///
  /// - Parameter outer: The decoder of the keys that these are inlined in.
  init(
    _ members: DecoderValue.Members, keys: FieldKeys, path: FieldPath, depth: Int = 1,
    isStored: Bool = false, inlinedIn outer: CodableFieldDecoder? = nil
  ) {
    self.path = path
    self.depth = depth
    self.isStored = isStored
    shape = .object(members, keys)
    self.outer = outer
  }

  private init(
    parts: [(step: FieldPath.Component, value: DecoderValue?)],
    inside: FieldPath = FieldPath([]), path: FieldPath, depth: Int, isStored: Bool
  ) {
    self.path = path
    self.depth = depth
    self.isStored = isStored
    shape = .parts(parts, inside: inside)
    outer = nil
  }

  /// Creates a decoder of a single value at index 0, in text that a store contains.
  ///
  /// - Parameters:
  ///   - division: The paths that divide unknown members of the value.
  ///   - depth: The number of levels that contain the value.
  init(
    stored value: DecoderValue?, path: FieldPath, dividedBy division: ClaimedPaths?, depth: Int
  ) {
    self.division = division
    self.path = path
    self.depth = depth
    isStored = true
    shape = .whole(value)
    outer = nil
  }

  private init(
    _ unknown: [DecoderValue.UnknownMember], path: FieldPath, depth: Int, isStored: Bool
  ) {
    self.path = path
    self.depth = depth
    self.isStored = isStored
    shape = .unknown(unknown)
    outer = nil
  }

  func isAbsent(at index: Int) -> Bool {
    if isInlined(index) { return false }
    if takesUnknown(index) { return unknownMembers.isEmpty }
    return if case .nothing = find(index) { true } else { false }
  }

  private func takesUnknown(_ index: Int) -> Bool {
    if case .object(_, let keys) = shape { keys.unknownIndex == index } else { false }
  }

  /// The members that no key of the object is mapped to.
  private var unknownMembers: [DecoderValue.UnknownMember] {
    if let outer { return outer.unknownMembers }
    if let unknown { return unknown }
    guard case .object(let members, let keys) = shape else { return [] }
    let tables = keys.tables(in: self)
    let unread = tables.unreadPaths(
      read: { CodableField.pathRead(tables[$0].keys[$1], in: members, isStored: isStored) },
      reach: { DecoderValue.reach($0, in: members) })
    var found = DecoderValue.unknown(in: members, ClaimedPaths(tables, unread: unread))
    if isStored {
      found = found.compactMap { member in
        member.path.member.map { DecoderValue.UnknownMember(path: $0, value: member.value) }
      }
      if let order = UnknownOrder(in: members) { found = order.sorted(found, by: \.path) }
    }
    if let division { found = found.flatMap { $0.divided(by: division) } }
    unknown = found
    return found
  }

  /// Whether the values are elements or members.
  private var hasParts: Bool {
    switch shape {
    case .object, .whole: false
    case .parts, .unknown: true
    }
  }

  /// Whether the keys of a key's model are inlined.
  private func isInlined(_ index: Int) -> Bool {
    if case .object(_, let keys) = shape { keys.keys[index].isInlined } else { false }
  }

  func isNull(at index: Int) throws -> Bool {
    if isInlined(index) { return false }
    if takesUnknown(index) { return unknownMembers.isEmpty }
    return switch find(index) {
    case .nothing, .null: true
    case .value: false
    case .obstacle: throw error(at: index, expected: "object")
    }
  }

  func bool(at index: Int) throws -> Bool { try decode(index, "boolean") }
  func int64(at index: Int) throws -> Int64 { try decode(index, "integer") }
  func double(at index: Int) throws -> Double { try decode(index, "number") }
  func decimal(at index: Int) throws -> Decimal {
    let value = try value(at: index, expected: "number")
    if let decimal = try? value.decode(Decimal.self) { return decimal }
    guard let number = value.preservedText.flatMap({ NumberText($0) }) else {
      throw error(at: index, expected: "number")
    }
    guard let decimal = number.decimal else {
      throw error(.invalidValue, at: index, expected: "decimal number")
    }
    return decimal
  }
  func string(at index: Int) throws -> String { try decode(index, "string") }

  func uint64(at index: Int) throws -> UInt64 {
    let value = try value(at: index, expected: "integer")
    if let integer = try? value.decode(UInt64.self) { return integer }
    let isInteger = (try? value.decode(Int64.self)) != nil
    throw error(
      isInteger ? .invalidValue : .invalidType, at: index,
      expected: isInteger ? "non-negative integer" : "integer")
  }

  func data(at index: Int) throws -> Data {
    guard let data = Data(base64Encoded: try decode(index, "Base64 text") as String) else {
      throw error(.invalidValue, at: index, expected: "Base64 text")
    }
    return data
  }

  func date(at index: Int, _ format: DateFormat) throws -> Date {
    let value = try value(at: index, expected: format.expectation)
    let date: Date?
    var text = ""
    if format.holdsText, let found = try? value.decode(String.self) {
      text = found
      date = text.withUTF8 { format.date(utf8: $0) }
    } else if format.holdsNumbers, let number = try? value.decode(Double.self) {
      date = format.date(number)
    } else {
      throw error(at: index, expected: format.expectation)
    }
    guard let date else {
      throw error(.invalidValue, at: index, expected: format.expectation(for: text))
    }
    return date
  }

  func object(at index: Int, keys: FieldKeys) throws -> any FieldDecoder {
    if isInlined(index) {
      return CodableFieldDecoder(
        try inlinedMembers(at: index), keys: keys, path: path(at: index), depth: depth,
        isStored: isStored, inlinedIn: outer ?? self)
    }
    let members = try members(at: index)
    try checkDepth(depth + 1, at: index)
    let decoder = CodableFieldDecoder(
      members, keys: keys, path: path(at: index), depth: depth + 1, isStored: isStored)
    if case .whole = shape { decoder.division = division }
    return decoder
  }

  func array(at index: Int) throws -> FieldElements {
    guard let elements = try value(at: index, expected: "array").elements else {
      throw error(at: index, expected: "array")
    }
    let depth = try depth(ofPartsIn: depth, isPart: hasParts, at: index)
    let decoder = CodableFieldDecoder(
      parts: elements.enumerated().map { (.index($0), $1) },
      inside: lookup(index).path?.elementPath ?? FieldPath([]), path: path(at: index), depth: depth,
      isStored: isStored)
    return FieldElements(decoder: decoder, count: elements.count)
  }

  /// The members sorted by name, because decoders do not preserve order.
  func dictionary(at index: Int) throws -> FieldMembers {
    if takesUnknown(index) {
      let unknown = unknownMembers
      return FieldMembers(
        decoder: CodableFieldDecoder(unknown, path: path, depth: depth, isStored: isStored),
        names: unknown.map(\.path.description))
    }
    let members = try members(at: index)
    let depth = try depth(ofPartsIn: depth, isPart: hasParts, at: index)
    let stored = members.allKeys.map(\.stringValue).sorted()
    let names = isStored ? stored.map { StoredMemberName.member($0) ?? $0 } : stored
    let parts = zip(stored, names).map { stored, name -> (FieldPath.Component, DecoderValue?) in
      let value = DecoderValue.member(members, AnyCodingKey(stored))
      return (.key(name), value.isNull ? nil : value)
    }
    return FieldMembers(
      decoder: CodableFieldDecoder(
        parts: parts, path: path(at: index), depth: depth, isStored: isStored),
      names: names)
  }

  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    if case .null = find(index), let type = type as? any AnyJSON.Type,
      let null = type.null as? Value
    {
      return null
    }
    let value = try value(at: index, expected: "\(type)")
    if lookup(index).path?.elementPath != nil { throw unsupportedCollecting(at: index) }
    do {
      // `AnyJSON` decodes preserved JSON itself, with the order of its members.
      let isAnyJSON = type is any AnyJSON.Type
      let content = isAnyJSON ? value : value.preserved ?? value
      return try CodingDepth.within(depth) { try content.decode(type) }
    } catch let error as MappingError where error.code == .tooDeep {
      throw error
    } catch {
      throw refusal(of: type, at: index, error)
    }
  }

  var objectPath: FieldPath? { path }

  func field(at index: Int) -> FieldDescription {
    switch find(index) {
    case .nothing:
      return FieldDescription(
        path: path(at: index), found: nil, alternatives: alternatives(at: index))
    case .null: return FieldDescription(path: path(at: index), found: "null")
    case .value(let value): return FieldDescription(path: path(at: index), found: value.summary)
    case .obstacle(let value, let steps, _):
      let passed = FieldPath(Array((lookup(index).path?.components ?? []).prefix(steps)))
      return FieldDescription(path: path.appending(passed), found: value.summary)
    }
  }

  private func alternatives(at index: Int) -> [FieldPath] {
    guard case .object(_, let keys) = shape else { return [] }
    return keys.keys[index].alternatives.map { path.appending($0.valuePath) }
  }

  private func path(at index: Int) -> FieldPath {
    lookup(index).path.map { path.appending($0.valuePath) } ?? path
  }

  private func find(_ index: Int) -> DecoderValue.Finding { lookup(index).finding }

  private func lookup(_ index: Int) -> CodableField {
    if let last, last.index == index { return last.found }
    let found: CodableField =
      switch shape {
      case .object(let members, let keys):
        .find(keys.keys[index], in: members, isStored: isStored)
      case .parts(let parts, let inside): CodableField(parts[index], inside: inside)
      case .unknown(let members): CodableField(members[index])
      case .whole(let value): CodableField(whole: value)
      }
    last = (index, found)
    return found
  }

  private func value(at index: Int, expected: String) throws -> DecoderValue {
    guard case .value(let value) = find(index) else { throw error(at: index, expected: expected) }
    return value
  }

  private func decode<Value: Decodable>(_ index: Int, _ expected: String) throws -> Value {
    let value = try value(at: index, expected: expected)
    do {
      return try value.scalar(Value.self)
    } catch {
      // Foundation throws errors of its own for numbers such as 1.5 as an integer.
      throw self.error(at: index, expected: expected)
    }
  }

  private func inlinedMembers(at index: Int) throws -> DecoderValue.Members {
    guard case .object(let members, _) = shape else {
      throw error(at: index, expected: "object")
    }
    return members
  }

  private func members(at index: Int) throws -> DecoderValue.Members {
    guard let members = try value(at: index, expected: "object").members else {
      throw error(at: index, expected: "object")
    }
    return members
  }

  /// The error about a value that is not of the expected type.
  private func error(at index: Int, expected: String) -> MappingError {
    switch find(index) {
    case .nothing: error(.missingValue, at: index, expected: expected)
    case .null: error(.unexpectedNull, at: index, expected: expected)
    case .value: error(.invalidType, at: index, expected: expected)
    case .obstacle(_, _, let container): error(.invalidType, at: index, expected: container)
    }
  }
}
