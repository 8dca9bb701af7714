/// The paths that the keys of an object are mapped to, as a tree. What lies on
/// the way of none is unknown.
package struct ClaimedPaths: Sendable {
  /// Whether a key is mapped to the value itself.
  package private(set) var isValue = false
  // By their bytes, as documents tell names apart: strings that look the same
  // are equal.
  private var members: [[UInt8]: ClaimedPaths] = [:]
  private var elements: [Int: ClaimedPaths] = [:]
  /// What lies in every element, where a key collects: one, or none.
  private var each: [ClaimedPaths] = []
  /// Whether a key is mapped to the value where it holds nothing at the paths
  /// that lead on.
  private var isFallback = false

  /// Makes a tree without paths.
  package init() {}

  /// Makes the tree of the paths of some keys, used or not.
  package init(_ tables: [MappingKeys]) {
    let keys = tables.flatMap(\.keys)
    for path in keys.compactMap(\.source) where !path.components.isEmpty { insert(path) }
    for path in keys.flatMap(\.alternatives) { insert(path) }
  }

  /// What lies at a member of an object.
  package subscript(member name: String) -> ClaimedPaths? { members[Array(name.utf8)] }

  /// What lies at an element of an array.
  package subscript(element index: Int) -> ClaimedPaths? { each.first ?? elements[index] }

  /// Whether the ways lead through an object.
  package var isObject: Bool { !members.isEmpty }

  /// Whether the ways lead through an array.
  package var isArray: Bool { !elements.isEmpty || !each.isEmpty }

  /// Whether an object with some members is a key's value as a whole.
  package func isValue(withMember isThere: (String) -> Bool) -> Bool {
    isFallback && !memberNames.contains(where: isThere)
  }

  /// The names of the members, by their bytes.
  package var memberNames: [String] {
    members.keys.sorted { $0.lexicographicallyPrecedes($1) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Claims a path.
  ///
  /// - Returns: False where it is claimed already, lies inside another or holds
  ///   one, or takes for an object what another takes for an array.
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
}
