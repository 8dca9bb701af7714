import MohoMapping

extension EditingContext {
  /// Finds unique keys of changed rows that other rows already have, in the
  /// context, its parent or the store.
  ///
  /// - Complexity: One statement per unique key and 500 rows.
  func uniquenessFailures(of pending: [Int]) throws -> [ValidationFailure] {
    let pending = pending.filter { graph[$0].isAlive && !graph[$0].isFault }
    var failures: [ValidationFailure] = []
    for (entity, rows) in Dictionary(grouping: pending, by: { graph[$0].entity })
      .sorted(by: { $0.key < $1.key })
    {
      let entity = layout.entities[entity]
      for keys in entity.entity.uniqueKeys {
        let parts = entity.parts(of: keys)
        let values = rows.filter { mayCollide($0, parts) }
          .compactMap { row in uniqueValues(of: row, parts).map { (row, $0) } }
        guard !values.isEmpty else { continue }
        let holders = try self.handles(of: entity, with: parts, in: values.map(\.1))
        for (row, value) in values {
          guard let other = holders[value]?.first(where: { $0 != row }) else { continue }
          failures.append(
            ValidationFailure(
              .notUnique, graph[row].identity, keys,
              found: value.values.map(\.text).joined(separator: ", "),
              expected: "another value than that of \(graph[other].identity)"))
        }
      }
    }
    return failures
  }

  /// Whether the values of a unique key differ from the stored values of the
  /// row.
  private func mayCollide(_ row: Int, _ parts: [UniquePart]) -> Bool {
    guard let base = graph[row].base, let current = graph[row].current else { return true }
    return parts.contains { part in
      switch part {
      case .attribute(let index): !base.attributes[index].isSame(as: current.attributes[index])
      case .slot(let slot): base.targets[slot] != current.targets[slot]
      }
    }
  }
}

extension UniqueValues.Value {
  fileprivate var text: String {
    switch self {
    case .content(let value): "\(value.content)"
    case .row(let identity): "\(identity)"
    }
  }
}
