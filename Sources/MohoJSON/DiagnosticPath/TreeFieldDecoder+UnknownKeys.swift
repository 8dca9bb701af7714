import MohoMapping

/// A member or element that no key of an object is mapped to.
struct UnknownMember {
  let path: FieldPath
  let node: JSONNode
  /// A similar key that is missing next to the member, if the member is reported.
  let suggestion: String?
}

/// The paths that the keys of an object claim.
struct ObjectClaims {
  // The keys are retained so that their identities stay unique.
  private let tables: [FieldKeys]
  /// The paths of keys, of which some have alternatives.
  private let paths: [PathTable?]
  /// The claimed paths, by the unread paths of objects.
  private var known: [[UnreadPath]: ClaimedPaths] = [:]

  init(_ tables: [FieldKeys]) {
    self.tables = tables
    paths = tables.map { $0.withAlternatives.isEmpty ? nil : PathTable($0.keys) }
  }

  /// The claimed paths in an object.
  mutating func paths(in object: JSONNode) -> ClaimedPaths {
    let unread = tables.unreadPaths(
      read: { paths[$0]?.pathRead(key: $1, from: object) }, reach: { object.reach($0) })
    if let claims = known[unread] { return claims }
    let claims = ClaimedPaths(tables, unread: unread)
    if known.count >= 64 { known.removeAll() }
    known[unread] = claims
    return claims
  }
}

/// The unknown members of an object.
struct UnknownSearch {
  let members: [UnknownMember]
  /// The objects and arrays with keys that a merge patch replaces as a whole.
  let replaced: [FieldPath]
  /// Whether a key has decoded the members.
  var isTaken = false
}

extension TreeFieldDecoder {
  var reportsUnknownKeys: Bool { check != nil && !isInlined }

  func unknownKeyErrors() -> [MappingError] {
    guard let check, !isInlined, let table else { return [] }
    let search = searchUnknown()
    guard !search.isTaken, !search.members.isEmpty else { return [] }
    let path = path
    let errors = search.members.map { member in
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

  /// Whether the key at an index decodes unknown members and there are some.
  func hasUnknown(at index: Int) -> Bool {
    takesUnknown(index) && !owner.isHidingUnknown && !owner.searchUnknown().members.isEmpty
  }

  func takesUnknown(_ index: Int) -> Bool { table?.unknownIndex == index }

  /// The unknown members, for the key that decodes them.
  func takeUnknown() -> UnknownSearch {
    let owner = owner
    var search = owner.searchUnknown()
    search.isTaken = true
    owner.unknown = search
    return search
  }

  /// Removes the unknown keys found in the value at an index, which is decoded again.
  /// Inlined models are decoded with their object.
  func removeReports(at index: Int) {
    guard let check, check.isReport, table?.keys[index].isInlined != true else { return }
    check.removeAll { path.appending(source(at: index)) }
  }

  /// Whether the keys are inlined in the object of another decoder.
  private var isInlined: Bool { parent?.table?.keys[parentIndex].isInlined ?? false }

  /// The decoder of all keys of the object.
  fileprivate var owner: TreeFieldDecoder {
    var reader = self
    while reader.isInlined, let parent = reader.parent { reader = parent }
    return reader
  }

  private func searchUnknown() -> UnknownSearch {
    if let unknown { return unknown }
    var members: [UnknownMember] = []
    var replaced: [FieldPath] = []
    if let table {
      object.findUnknown(
        claims(of: table.tables(in: self)), at: FieldPath([]), suggestsKeys: check != nil,
        replaced: { replaced.append($0) }
      ) {
        members.append($0)
      }
    }
    let search = UnknownSearch(members: members, replaced: replaced)
    unknown = search
    return search
  }

  private func claims(of tables: [FieldKeys]) -> ClaimedPaths {
    let identities = tables.map { ObjectIdentifier($0) }
    if claims[identities] == nil {
      // A mapping that is created for each use adds new keys every time.
      if claims.count >= 64 { claims.removeAll() }
      claims[identities] = ObjectClaims(tables)
    }
    return claims[identities]?.paths(in: object) ?? ClaimedPaths()
  }
}

extension TreeFieldDecoder: MergePatchDecoder {
  var hidesUnknownMembers: Bool {
    get { owner.isHidingUnknown }
    set { owner.isHidingUnknown = newValue }
  }

  func patchMembers(at index: Int) -> (members: FieldMembers, replaced: [FieldPath]) {
    (unknownMembers(at: index), takeUnknown().replaced)
  }

  func removes(_ index: Int) -> Bool {
    guard let array = table?.keys[index].source?.arrayPath else { return false }
    var node: JSONNode? = object
    for component in array.components { node = node?.step(to: component) }
    return node?.kind == .array
  }
}

extension FieldPath {
  /// Whether the path exists in a value.
  fileprivate func leads(from node: JSONNode) -> Bool {
    PathTable([self]).found(0, from: node) != nil
  }
}

extension JSONNode {
  /// Finds what no claimed path leads to or through, in the order of the text.
  ///
  /// - Parameters:
  ///   - suggestsKeys: Whether similar keys are looked for, which is slow.
  ///   - replaced: Receives the paths of values that claimed paths lead through and that a
  ///     merge patch replaces: arrays, null, and values of another type.
  fileprivate func findUnknown(
    _ claims: ClaimedPaths, at path: FieldPath, suggestsKeys: Bool,
    replaced: (FieldPath) -> Void, _ body: (UnknownMember) -> Void
  ) {
    switch kind {
    case .object where claims.isObject || path.components.isEmpty:
      if claims.isValue(withMember: { FieldPath([.key($0)]).leads(from: self) }) { return }
      var missing: [String]?
      forEachMember { name, node in
        let path = path.appending(.key(name))
        if let inside = claims[member: name] {
          return node.findUnknown(
            inside, at: path, suggestsKeys: suggestsKeys, replaced: replaced, body)
        }
        guard suggestsKeys else {
          return body(UnknownMember(path: path, node: node, suggestion: nil))
        }
        let candidates = missing ?? missingNames(claims)
        missing = candidates
        body(
          UnknownMember(path: path, node: node, suggestion: similar(to: name, among: candidates)))
      }
    case .array where claims.isArray:
      replaced(path)
      for index in 0..<count {
        guard let node = element(at: index) else { continue }
        let path = path.appending(.index(index))
        if let inside = claims[element: index] {
          node.findUnknown(
            inside, at: path, suggestsKeys: suggestsKeys, replaced: replaced, body)
        } else if node.kind != .null || index + 1 == count {
          // Null before another element is padding.
          body(UnknownMember(path: path, node: node, suggestion: nil))
        }
      }
    default:
      if claims.isObject || claims.isArray { replaced(path) }
    }
  }

  /// The claimed names that the object does not contain.
  private func missingNames(_ claims: ClaimedPaths) -> [String] {
    var names = claims.memberNames
    forEachMember { name, _ in names.removeAll { $0.utf8.elementsEqual(name.utf8) } }
    return names
  }
}
