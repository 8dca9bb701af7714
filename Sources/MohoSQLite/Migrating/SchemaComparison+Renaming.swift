import MohoRows

extension SchemaComparison {
  /// Advice to declare a renaming, for entities that have exactly one added and
  /// one removed key. Nil if there are no such entities.
  var renamingAdvice: String? {
    let names = differences.map(\.entity).reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    let advices = names.compactMap { name -> String? in
      let keys = differences.filter { $0.entity == name && $0.key != nil }
      let removed = keys.filter { $0.change == .removed }.compactMap(\.key)
      let added = keys.filter { $0.change == .added }.compactMap(\.key)
      guard removed.count == 1, added.count == 1 else { return nil }
      return "if `\(name).\(removed[0])` was renamed to `\(added[0])`, declare a `Renaming`"
    }
    return advices.isEmpty ? nil : advices.joined(separator: "; ")
  }
}
