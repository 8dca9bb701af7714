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
  /// The unknown members of an object, whose names are paths.
  case unknown
}

extension ObjectReader {
  func object(at index: Int, keys: MappingKeys) throws -> any FieldDecoder {
    let node = try node(at: index, .object)
    let depth = table?.keys[index].isInlined == true ? depth : depth + 1
    try checkDepth(depth, at: index)
    forgetReports(at: index)
    let reader = reader(ObjectIdentifier(keys)) {
      ObjectReader(.object, keys, PathTable(keys.keys), check: check)
    }
    reader.move(to: node, members: [], in: self, at: index, depth: depth)
    return reader
  }

  func array(at index: Int) throws -> FieldElements {
    let node = try node(at: index, .array)
    forgetReports(at: index)
    let reader =
      collectingReader(at: index) ?? reader(nil) { ObjectReader(.array, check: check) }
    reader.move(to: node, members: [], in: self, at: index, depth: depth)
    return FieldElements(decoder: reader, count: node.elementCount)
  }

  func dictionary(at index: Int) throws -> FieldMembers {
    if takesUnknown(index) { return unknownMembers(at: index) }
    let node = try node(at: index, .object)
    forgetReports(at: index)
    var members: [(String, JSONNode)] = []
    node.forEachMember { members.append(($0, $1)) }
    let reader = reader(ObjectIdentifier(ObjectReader.self)) {
      ObjectReader(.dictionary, check: check)
    }
    reader.move(to: node, members: members, in: self, at: index, depth: depth)
    return FieldMembers(decoder: reader, names: members.map(\.0))
  }

  private func unknownMembers(at index: Int) -> FieldMembers {
    let members = takeUnknown().map { ($0.path.description, $0.node) }
    let reader = reader(ObjectIdentifier(UnknownKeyCheck.self)) {
      ObjectReader(.unknown, check: check)
    }
    reader.move(to: object, members: members, in: self, at: index, depth: depth)
    return FieldMembers(decoder: reader, names: members.map(\.0))
  }

  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    if Value.self == JSONValue.self, let node = anyNode(at: index),
      let value = JSONValue(node, at: textPlace(at: index)) as? Value
    {
      return value
    }
    forgetReports(at: index)
    let node = try node(at: index, expected: "\(type)")
    if paths.collected(path(foundAt: index)) != nil { throw unsupportedCollecting(at: index) }
    let value = JSONValue(node, at: textPlace(at: index))
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
    // Mappings that are made for each use have keys without end.
    if inner.count >= 64 { inner.removeAll() }
    inner[keys] = reader
    return reader
  }

  /// The reader of what a key's path collects; nil where it does not.
  private func collectingReader(at index: Int) -> ObjectReader? {
    let path = path(foundAt: index)
    guard let inside = paths.collected(path) else { return nil }
    if let reader = collecting[path] { return reader }
    let reader = ObjectReader(.collection, nil, inside, check: check)
    collecting[path] = reader
    return reader
  }
}
