import MohoMapping

/// What the indices of fields refer to.
enum ValueShape {
  /// The keys of a mapping.
  case object
  /// The elements of an array.
  case array
  /// The values at a path in each element of an array.
  case collection
  /// The members of a dictionary.
  case dictionary
  /// The unknown members of an object, named by their paths.
  case unknown
}

extension TreeFieldDecoder {
  func object(at index: Int, keys: FieldKeys) throws -> any FieldDecoder {
    let node = try node(at: index, .object)
    let depth = table?.keys[index].isInlined == true ? depth : depth + 1
    try checkDepth(depth, at: index)
    removeReports(at: index)
    let decoder = nestedDecoder(ObjectIdentifier(keys)) {
      TreeFieldDecoder(.object, keys, PathTable(keys.keys), in: self)
    }
    decoder.move(to: node, members: [], in: self, at: index, depth: depth)
    return decoder
  }

  func array(at index: Int) throws -> FieldElements {
    let node = try node(at: index, .array)
    let depth = try depth(ofPartsIn: depth, isPart: shape != .object, at: index)
    removeReports(at: index)
    let decoder =
      collectingDecoder(at: index) ?? nestedDecoder(nil) { TreeFieldDecoder(.array, in: self) }
    decoder.move(to: node, members: [], in: self, at: index, depth: depth)
    return FieldElements(decoder: decoder, count: node.count)
  }

  func dictionary(at index: Int) throws -> FieldMembers {
    if takesUnknown(index), !hidesUnknownMembers { return unknownMembers(at: index) }
    let node = try node(at: index, .object)
    let depth = try depth(ofPartsIn: depth, isPart: shape != .object, at: index)
    removeReports(at: index)
    var members: [(String, JSONNode)] = []
    node.forEachMember { members.append(($0, $1)) }
    let decoder = nestedDecoder(ObjectIdentifier(TreeFieldDecoder.self)) {
      TreeFieldDecoder(.dictionary, in: self)
    }
    decoder.move(to: node, members: members, in: self, at: index, depth: depth)
    return FieldMembers(decoder: decoder, names: members.map(\.0))
  }

  func unknownMembers(at index: Int) -> FieldMembers {
    let members = takeUnknown().members.map { ($0.path.description, $0.node) }
    let decoder = nestedDecoder(ObjectIdentifier(UnknownKeyCheck.self)) {
      TreeFieldDecoder(.unknown, in: self)
    }
    decoder.move(to: object, members: members, in: self, at: index, depth: depth)
    return FieldMembers(decoder: decoder, names: members.map(\.0))
  }

  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    if Value.self == JSONValue.self, let node = anyNode(at: index),
      let value = JSONValue(node) as? Value
    {
      return value
    }
    removeReports(at: index)
    let node = try node(at: index, expected: "\(type)")
    if paths.collected(path(foundAt: index)) != nil { throw unsupportedCollecting(at: index) }
    let value = JSONValue(node)
    return try codable(type, at: index, json: value.data(), depth: depth)
  }

  private func node(at index: Int, _ kind: JSONValue.Kind) throws -> JSONNode {
    let node = try node(at: index, expected: kind.description)
    guard node.kind == kind else { throw error(at: index, expected: kind.description) }
    return node
  }

  /// The decoder of values with the keys of a mapping, of arrays, or of dictionaries,
  /// which have identities of their own.
  private func nestedDecoder(
    _ keys: ObjectIdentifier?, _ make: () -> TreeFieldDecoder
  ) -> TreeFieldDecoder {
    if let decoder = inner[keys] { return decoder }
    let decoder = make()
    // A mapping that is created for each use adds new keys every time.
    if inner.count >= 64 { inner.removeAll() }
    inner[keys] = decoder
    return decoder
  }

  /// The decoder of the values that a key's path collects; nil if it does not collect.
  private func collectingDecoder(at index: Int) -> TreeFieldDecoder? {
    let path = path(foundAt: index)
    guard let inside = paths.collected(path) else { return nil }
    if let decoder = collecting[path] { return decoder }
    let decoder = TreeFieldDecoder(.collection, nil, inside, in: self)
    collecting[path] = decoder
    return decoder
  }
}
