import Foundation

/// Structured text of a store; see ``StructuredText``.
extension ScanFieldDecoder {
  /// The members of a dictionary that are sorted by name: those of an object on the tape in
  /// another order. Nil if they are sorted there.
  func sortedMembers(
    _ names: [String], ofObjectAt tapePosition: Int, _ depth: Int
  ) throws -> FieldMembers? {
    var isSorted = true
    for (index, name) in names.enumerated() {
      if name.utf8.starts(with: PreservedJSON.reservedPrefix.utf8) { throw giveUp() }
      if index > 0, isSorted { isSorted = names[index - 1] < name }
    }
    if isSorted { return nil }
    var members: [(name: String, key: Int)] = []
    var position = tapePosition + 1
    for name in names {
      members.append((name, position))
      position = scanner.pointee.tape.position(after: position + 1)
    }
    members.sort { $0.name < $1.name }
    // Other decoders consider names with different bytes equal if their characters are.
    for (member, next) in zip(members, members.dropFirst()) where member.name == next.name {
      throw giveUp()
    }
    let decoder = membersDecoder ?? ScanFieldDecoder(.members, nil, .empty, text)
    membersDecoder = decoder
    decoder.depth = depth
    decoder.move(to: 0)
    decoder.listedMembers = members.map { (0, $0.key) }
    return FieldMembers(decoder: decoder, names: members.map(\.name))
  }

  /// Gives the unknown members the order in which they were encoded.
  func restoreUnknownMembers() throws {
    if areMembersRestored { return }
    var positions: [[UInt8]: Int]?
    var members: [(node: Int, key: Int)] = []
    for (node, key) in listedMembers {
      let token = scanner.pointee.tape[key]
      if !scanner.pointee.isReserved(token) {
        members.append((node, key))
      } else {
        guard node == plan.body, positions == nil,
          scanner.pointee.text(token).elementsEqual(UnknownOrder.name.utf8)
        else { throw giveUp() }
        positions = scanner.pointee.positions(ofTextsAt: key + 1)
        if positions == nil { throw giveUp() }
      }
    }
    guard !members.isEmpty else { throw giveUp() }
    if let positions {
      let found = members.map { positions[Array(memberName($0.node, $0.key).utf8)] ?? -1 }
      guard !found.contains(-1) else { throw giveUp() }
      members = zip(found, members).sorted { $0.0 < $1.0 }.map(\.1)
    } else if members.count > 1 {
      let paths = members.map { node, key in
        plan.paths[node].appending(.key(scanner.pointee.string(scanner.pointee.tape[key])))
      }
      let isSorted = zip(paths, paths.dropFirst()).allSatisfy { $0.precedes($1) }
      guard isSorted else { throw giveUp() }
    }
    listedMembers = members
    areMembersRestored = true
  }

  /// Decodes a value with its own conformance.
  func codable<Value: Decodable>(_ type: Value.Type, storedAt index: Int, _ slot: Slot) throws
    -> Value
  {
    let token = slot.token
    if token.kind == .object, slot.tapePosition >= 0, token.count == 1,
      scanner.pointee.isReserved(scanner.pointee.tape[slot.tapePosition + 1])
    {
      throw giveUp()
    }
    let quotes = token.kind.isText ? 1 : 0
    let range = (token.range.lowerBound - quotes)..<(token.range.upperBound + quotes)
    let json = Data(scanner.pointee.bytes(range))
    do {
      return try codable(type, at: index, json: json, isStored: true, depth: depth)
    } catch {
      throw giveUp()
    }
  }
}

extension ByteScanner {
  /// Whether structured text reserves a key.
  mutating func isReserved(_ key: Token) -> Bool {
    text(key).starts(with: PreservedJSON.reservedPrefix.utf8)
  }

  /// Whether a key can be that of ``PreservedJSON``, which stands for another object.
  mutating func isPreservedJSON(_ key: Token) -> Bool {
    text(key).elementsEqual(PreservedJSON.name.utf8)
  }

  /// The positions of the strings in an array on the tape. Nil if there is another value.
  fileprivate mutating func positions(ofTextsAt start: Int) -> [[UInt8]: Int]? {
    guard tape[start].kind == .array else { return nil }
    var positions: [[UInt8]: Int] = [:]
    for index in 0..<Int(tape[start].count) {
      let token = tape[start + 1 + index]
      guard token.kind.isText else { return nil }
      positions[Array(text(token))] = positions[Array(text(token))] ?? index
    }
    return positions
  }

  /// The array or object at a position of the tape. Nil if coders read another value.
  private mutating func keptJSONValue(at start: Int) -> JSONValue? {
    let value = jsonValue(at: start)
    let compact =
      switch value {
      case .array(let elements): elements.text
      case .object(let members): members.text
      default: nil as CompactJSON?
      }
    guard compact?.memberOrder == .kept, compact?.hasStoredNumbers == true else { return nil }
    return value
  }

  /// The value at a position of the tape, with preserved JSON expanded, and other members
  /// sorted by name. Nil if coders read another value.
  mutating func storedJSONValue(at start: Int) -> JSONValue? {
    if let kept = keptJSONValue(at: start) { return kept }
    var builder = JSONValueBuilder()
    for position in (start..<tape.position(after: start)).reversed() {
      let token = tape[position]
      switch token.kind {
      case .array: builder.appendArray(Int(token.count))
      case .object where token.count == 1 && tape[position + 2].kind.isText:
        builder.appendObject(1)
        guard text(tape[position + 1]).elementsEqual(PreservedJSON.name.utf8) else { continue }
        guard case .object(let members) = builder.value,
          case .string(let json)? = members.first?.value
        else { return nil }
        guard let value = try? JSONValue(json: Data(json.utf8)) else { continue }
        builder.replaceLast(by: value)
      case .object:
        builder.appendObject(Int(token.count))
        guard case .object(var members) = builder.value else { return nil }
        members.sortByName()
        guard members.areKeptByCoders else { return nil }
        builder.replaceLast(by: .object(members))
      default:
        let value = scalar(token)
        if case .exact(let number) = value, !number.isKeptByCoders { return nil }
        builder.append(value)
      }
    }
    return builder.value
  }
}
