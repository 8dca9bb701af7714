import MohoMapping

extension JSONNode {
  /// A key of the object that a path leads to last which looks like the path's
  /// next key.
  ///
  /// - Parameter others: Where other keys are found, which are none that were meant
  ///   for this one.
  func similarKey(to path: FieldPath, besides others: [FieldPath?]) -> String? {
    var node = self
    for (depth, component) in path.components.enumerated() {
      if let next = PathTable([FieldPath([component])]).found(0, from: node) {
        node = next
        continue
      }
      guard case .key(let key) = component else { return nil }
      let way = path.components.prefix(depth)
      let taken = Set(
        others.compactMap { other -> String? in
          guard let other, other.components.starts(with: way),
            case .key(let key)? = other.components.dropFirst(depth).first
          else { return nil }
          return key
        })
      var names: [String] = []
      node.forEachMember { name, _ in
        if !taken.contains(name) { names.append(name) }
      }
      return similar(to: key, among: names)
    }
    return nil
  }
}
