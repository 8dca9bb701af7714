import MohoMapping

/// What no key of an object is mapped to.
struct UnknownMember {
  let path: FieldPath
  let node: JSONNode
  /// A key that is missing where the member is, and looks like it.
  let suggestion: String?
}

/// The look for what no key of an object is mapped to.
struct UnknownLook {
  let members: [UnknownMember]
  /// Whether a key has taken the members.
  var isTaken = false
}

extension ObjectReader {
  var reportsUnknownKeys: Bool { check != nil && !isInlined }

  func unknownKeyErrors() -> [MappingError] {
    guard let check, !isInlined, let table else { return [] }
    let look = look()
    guard !look.isTaken, !look.members.isEmpty else { return [] }
    let path = path
    let errors = look.members.map { member in
      var error = MappingError(
        .unknownKey, model: table.model, path: path.appending(member.path),
        found: member.node.summary)
      error.suggestion = member.suggestion
      return error
    }
    guard check.isReport else { return errors }
    check.add(errors)
    return []
  }

  /// Whether there are unknown members for the key at an index, which takes them
  /// if it is one that does.
  func hasUnknown(at index: Int) -> Bool {
    takesUnknown(index) && !owner.look().members.isEmpty
  }

  func takesUnknown(_ index: Int) -> Bool { table?.unknownIndex == index }

  /// The unknown members, for a key that takes them.
  func takeUnknown() -> [UnknownMember] {
    let owner = owner
    var look = owner.look()
    look.isTaken = true
    owner.unknown = look
    return look.members
  }

  /// Forgets what was to be reported of the value at an index, which is read
  /// anew. Inlined models are read with their object.
  func forgetReports(at index: Int) {
    guard let check, check.isReport, table?.keys[index].isInlined != true else { return }
    check.forget { path.appending(source(at: index)) }
  }

  /// Whether the keys are inlined among those of another reader.
  private var isInlined: Bool { parent?.table?.keys[parentIndex].isInlined ?? false }

  /// The reader of all keys of the object.
  private var owner: ObjectReader {
    var reader = self
    while reader.isInlined, let parent = reader.parent { reader = parent }
    return reader
  }

  private func look() -> UnknownLook {
    if let unknown { return unknown }
    var members: [UnknownMember] = []
    if let table {
      object.findUnknown(claims(of: table.tables(in: self)), at: FieldPath([])) {
        members.append($0)
      }
    }
    let look = UnknownLook(members: members)
    unknown = look
    return look
  }

  private func claims(of tables: [MappingKeys]) -> ClaimedPaths {
    let identities = tables.map { ObjectIdentifier($0) }
    if let known = claims[identities] { return known.paths }
    let paths = ClaimedPaths(tables)
    // Mappings that are made for each use have keys without end.
    if claims.count >= 64 { claims.removeAll() }
    // The keys are kept, so that no others have their identities.
    claims[identities] = (tables, paths)
    return paths
  }
}

extension FieldPath {
  /// Whether there is anything at the path from a value.
  fileprivate func leads(from node: JSONNode) -> Bool {
    PathTable([self]).found(0, from: node) != nil
  }
}

extension JSONNode {
  /// Finds what lies on the way of none of some paths, in the document's order.
  fileprivate func findUnknown(
    _ claims: ClaimedPaths, at path: FieldPath, _ body: (UnknownMember) -> Void
  ) {
    switch kind {
    case .object where claims.isObject || path.components.isEmpty:
      if claims.isValue(withMember: { FieldPath([.key($0)]).leads(from: self) }) { return }
      var missing: [String]?
      forEachMember { name, node in
        let path = path.appending(.key(name))
        if let inside = claims[member: name] {
          return node.findUnknown(inside, at: path, body)
        }
        let candidates = missing ?? missingNames(claims)
        missing = candidates
        body(
          UnknownMember(path: path, node: node, suggestion: similar(to: name, among: candidates)))
      }
    case .array where claims.isArray:
      for index in 0..<elementCount {
        guard let node = element(at: index) else { continue }
        let path = path.appending(.index(index))
        if let inside = claims[element: index] {
          node.findUnknown(inside, at: path, body)
        } else if node.kind != .null || index + 1 == elementCount {
          // Null before another element only keeps the place of that.
          body(UnknownMember(path: path, node: node, suggestion: nil))
        }
      }
    default: break
    }
  }

  /// The claimed names that the object does not have.
  private func missingNames(_ claims: ClaimedPaths) -> [String] {
    var names = claims.memberNames
    forEachMember { name, _ in names.removeAll { $0.utf8.elementsEqual(name.utf8) } }
    return names
  }
}
