import MohoMapping

extension MemberMigration {
  /// The steps of a plan. Empty if no row has members to move.
  package func steps(_ findings: Findings) -> [MigrationStep] {
    func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
    var steps: [MigrationStep] = []
    let names = retained.map(\.name).filter { findings.retained[$0] != nil }
    if !names.isEmpty {
      steps.append(
        MigrationStep("keep \(list(names)) of `\(entity)` as unknown members", []))
    }
    let moved = keys.map(\.name).filter { findings.taken[$0] != nil || findings.lost[$0] != nil }
    if !moved.isEmpty {
      steps.append(
        MigrationStep("move unknown members of `\(entity)` to \(list(moved))", []))
    } else if steps.isEmpty, findings.changesRows {
      steps.append(MigrationStep("divide unknown members of `\(entity)`", []))
    }
    return steps
  }

  /// The losses, except those that are permitted.
  package func losses(
    _ findings: Findings, allowing allowed: Set<SchemaPart>
  ) -> [MigrationLoss] {
    (keys.map(\.name) + retained.map(\.name)).compactMap { name in
      let part = SchemaPart.key(name, of: entity)
      guard let lost = findings.lost[name], !allowed.contains(part) else { return nil }
      return MigrationLoss(part: part, count: lost.count, reason: lost.reason)
    }
  }
}
