/// The paths of the keys of an object as a tree. All other members are unknown.
package struct ClaimedPaths: Sendable {
  /// Whether a key is mapped to this value.
  package private(set) var isValue = false
  // Names are compared by their bytes, as in documents. Strings with different
  // bytes can be equal.
  private var members: [[UInt8]: ClaimedPaths] = [:]
  private var elements: [Int: ClaimedPaths] = [:]
  /// The subtree of every element if a key collects; otherwise empty. An array,
  /// because a struct cannot contain itself.
  private var each: [ClaimedPaths] = []
  /// Whether a key is mapped to this value if it has no value at deeper paths.
  private var isFallback = false
  /// Whether an unread path continues in an object, or in an array.
  private var leadsToMember = false
  private var leadsToElement = false

  /// Creates an empty tree.
  package init() {}

  /// Creates a tree of all paths of some keys, including alternatives.
  ///
  /// - Parameter unread: The paths that no key claims.
  package init(_ tables: [FieldKeys], unread: [UnreadPath] = []) {
    // A path that is inside another path of its key is inserted before that one.
    for number in 0...(tables.lazy.flatMap(\.keys).map(\.alternatives.count).max() ?? 0) {
      for (position, table) in tables.enumerated() {
        for (index, key) in table.keys.enumerated() {
          let paths = key.paths
          guard number < paths.count, !paths[number].components.isEmpty else { continue }
          let isUnread = unread.contains {
            $0.table == position && $0.key == index && $0.path == number
          }
          if !isUnread { insert(paths[number]) }
        }
      }
    }
    for path in unread {
      let components = tables[path.table].keys[path.key].paths[path.path].components
      insertLead(to: components.prefix(path.steps))
    }
  }

  /// The subtree of a member of an object.
  package subscript(member name: String) -> ClaimedPaths? { members[Array(name.utf8)] }

  /// The subtree of an element of an array.
  package subscript(element index: Int) -> ClaimedPaths? { each.first ?? elements[index] }

  /// Whether the paths continue in an object.
  package var isObject: Bool { !members.isEmpty || leadsToMember }

  /// Whether the paths continue in an array.
  package var isArray: Bool { !elements.isEmpty || !each.isEmpty || leadsToElement }

  /// Whether a key is mapped to the whole of an object with some members.
  package func isValue(withMember isThere: (String) -> Bool) -> Bool {
    isFallback && !memberNames.contains(where: isThere)
  }

  /// The names of the members, sorted by their bytes.
  package var memberNames: [String] {
    members.keys.sorted { $0.lexicographicallyPrecedes($1) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Claims a path.
  ///
  /// - Returns: False if the path is already claimed, is inside another path or
  ///   contains one, or expects an object where another path expects an array.
  @discardableResult
  package mutating func insert(_ path: FieldPath) -> Bool { insert(path.components[...]) }

  private mutating func insert(_ path: ArraySlice<FieldPath.Component>) -> Bool {
    guard !isValue else { return false }
    let rest = path.dropFirst()
    switch path.first {
    case nil:
      isValue = !isObject && !isArray
      isFallback = !isValue
      return isValue
    case .key(let name):
      return !isArray && members[Array(name.utf8), default: ClaimedPaths()].insert(rest)
    case .each:
      guard !isObject, elements.isEmpty else { return false }
      if each.isEmpty { each = [ClaimedPaths()] }
      return each[0].insert(rest)
    case .index(let index):
      return !isObject && each.isEmpty && elements[index, default: ClaimedPaths()].insert(rest)
    }
  }

  /// Claims the objects and arrays on the way to an unknown value, so that its name
  /// does not depend on the other paths of its key.
  private mutating func insertLead(to path: ArraySlice<FieldPath.Component>) {
    let rest = path.dropFirst()
    switch path.first {
    case .key(let name)? where !isValue && !isArray:
      leadsToMember = true
      if !rest.isEmpty { members[Array(name.utf8), default: ClaimedPaths()].insertLead(to: rest) }
    case .index(let index)? where !isValue && !isObject && each.isEmpty:
      leadsToElement = true
      if !rest.isEmpty { elements[index, default: ClaimedPaths()].insertLead(to: rest) }
    default: break
    }
  }
}
