import MohoMapping

extension JSONNode {
  /// A key of the object that a path leads to last which differs from the
  /// path's next key only in letter case, underscores and hyphens.
  func similarKey(to path: FieldPath) -> String? {
    var node = self
    for component in path.components {
      if let next = PathTable([FieldPath([component])]).found(0, from: node) {
        node = next
        continue
      }
      guard case .key(let key) = component else { return nil }
      var similar: String?
      node.forEachMember { other, _ in
        if similar == nil, folded(other) == folded(key) { similar = other }
      }
      return similar
    }
    return nil
  }
}

/// A key without what keys that look alike differ in.
func folded(_ key: String) -> String {
  key.lowercased().filter { $0 != "_" && $0 != "-" }
}
