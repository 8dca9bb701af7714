import MohoMapping

extension EditingContext {
  /// Returns failures for changed rows whose unique keys another row already
  /// has, in the context, its parent or the store.
  ///
  /// - Complexity: One statement per unique key and 500 rows.
  func uniquenessFailures(of pending: [Int]) throws -> [ValidationFailure] {
    let pending = pending.filter { graph[$0].isAlive && !graph[$0].isFault }
    var failures: [ValidationFailure] = []
    for (entity, rows) in Dictionary(grouping: pending, by: { graph[$0].entity })
      .sorted(by: { $0.key < $1.key })
    {
      let entity = schema.entities[entity]
      for keys in entity.entity.uniqueKeys {
        let columns = entity.columns(ofUniqueKey: keys)
        let changed = rows.filter { mayCollide($0, columns) }
          .compactMap { row in uniqueKey(of: row, columns).map { (row, $0) } }
        guard !changed.isEmpty else { continue }
        let holders = try self.handles(of: entity, with: columns, in: changed.map(\.1))
        for (row, key) in changed {
          guard let other = holders[key]?.first(where: { $0 != row }) else { continue }
          failures.append(
            ValidationFailure(
              .notUnique, graph[row].identity, keys,
              found: key.parts.map(\.text).joined(separator: ", "),
              expected: "a value other than that of \(graph[other].identity)"))
        }
      }
    }
    return failures
  }

  /// Returns whether the unique key of a row differs from the stored one.
  private func mayCollide(_ row: Int, _ columns: [UniqueKeyColumn]) -> Bool {
    guard let base = graph[row].base, let current = graph[row].current else { return true }
    return columns.contains { column in
      switch column {
      case .attribute(let index): base.attributes[index] != current.attributes[index]
      case .slot(let slot): base.targets[slot] != current.targets[slot]
      }
    }
  }
}

extension UniqueKey.Part {
  fileprivate var text: String {
    switch self {
    case .content(let value): value.summary
    case .row(let identity): "\(identity)"
    }
  }
}
