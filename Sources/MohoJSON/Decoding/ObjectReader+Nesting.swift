import MohoMapping

/// What the positions of a value's fields stand for.
enum ValueShape {
  /// The keys of a mapping, at their paths.
  case object
  /// The elements of an array.
  case array
  /// What lies at a path in each element of an array.
  case collection
  /// The members of a dictionary.
  case dictionary
}

extension ObjectReader {
  func object(at index: Int, keys: MappingKeys) throws -> any FieldDecoder {
    let node = try node(at: index, .object)
    let reader = reader(ObjectIdentifier(keys)) { ObjectReader(.object, PathTable(keys.keys)) }
    reader.move(to: node, members: [], in: self, at: index)
    return reader
  }

  func array(at index: Int) throws -> FieldElements {
    let node = try node(at: index, .array)
    let reader = collectingReader(at: index) ?? reader(nil) { ObjectReader(.array) }
    reader.move(to: node, members: [], in: self, at: index)
    return FieldElements(decoder: reader, count: node.elementCount)
  }

  func dictionary(at index: Int) throws -> FieldMembers {
    let node = try node(at: index, .object)
    var members: [(String, JSONNode)] = []
    node.forEachMember { members.append(($0, $1)) }
    let reader = reader(ObjectIdentifier(ObjectReader.self)) { ObjectReader(.dictionary) }
    reader.move(to: node, members: members, in: self, at: index)
    return FieldMembers(decoder: reader, names: members.map(\.0))
  }

  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    let value = JSONValue(try node(at: index, expected: "\(type)"))
    if paths.collected(path(foundAt: index)) != nil { throw unsupportedCollecting(at: index) }
    return try codable(type, at: index, json: value.data())
  }

  private func node(at index: Int, _ kind: JSONValue.Kind) throws -> JSONNode {
    let node = try node(at: index, expected: kind.description)
    guard node.kind == kind else { throw error(at: index, expected: kind.description) }
    return node
  }

  /// The reader of values with the keys of a mapping, or of arrays, or of
  /// dictionaries, which have an identity of their own.
  private func reader(
    _ keys: ObjectIdentifier?, _ make: () -> ObjectReader
  ) -> ObjectReader {
    if let reader = inner[keys] { return reader }
    let reader = make()
    inner[keys] = reader
    return reader
  }

  /// The reader of what a key's path collects; nil where it does not.
  private func collectingReader(at index: Int) -> ObjectReader? {
    let path = path(foundAt: index)
    guard let inside = paths.collected(path) else { return nil }
    if let reader = collecting[path] { return reader }
    let reader = ObjectReader(.collection, inside)
    collecting[path] = reader
    return reader
  }
}
