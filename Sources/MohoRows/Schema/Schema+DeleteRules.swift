import MohoMapping

extension Schema {
  /// The issues of the delete rules of a relationship.
  func deleteRuleIssues(of relationship: Relationship, in entity: Entity) -> [String] {
    let name = "`\(entity.name).\(relationship.name)`"
    let inverse = inverse(of: relationship, in: entity)
    let back = "`\(relationship.destination).\(inverse?.name ?? "")`"
    var issues: [String] = []
    if let rule = relationship.targetDeleteRule, let other = inverse?.deleteRule,
      !rule.hasEffect(of: other)
    {
      issues.append(
        "\(name) has the rule `.\(rule)` for deleted rows of `\(relationship.destination)`, but its"
          + " inverse \(back) has the rule `.\(other)`: declare one of them")
    }
    if setsRequiredInverseToNil(relationship, inverse, in: entity) {
      issues.append(
        "\(name) would set the required relationship \(back) to nil:"
          + " use the delete rule `.cascade` or `.deny`, or make it optional")
    }
    if relationship.targetDeleteRule == .nullify, inverse == nil, !relationship.isOptional {
      issues.append(
        "\(name) is required, but becomes nil when its target is deleted:"
          + " use the delete rule `.cascade` or `.deny`, or make it optional")
    }
    if relationship.deleteRule == .cascade, canShareTarget(relationship, inverse, in: entity) {
      issues.append(
        "\(name) would delete a row of `\(relationship.destination)` that other rows of"
          + " `\(entity.name)` may refer to: use `whenTargetIsDeleted: .cascade` to delete a row with"
          + " its target, or confirm with `whenThisIsDeleted: .cascadeEvenIfShared`")
    }
    return issues
  }

  private func setsRequiredInverseToNil(
    _ relationship: Relationship, _ inverse: Relationship?, in entity: Entity
  ) -> Bool {
    guard let inverse, !inverse.isToMany, !inverse.isOptional else { return false }
    let compiled = compiled.entity(entity.name)?.relationship(relationship.name)
    return compiled?.deleteRule == .nullify
  }

  /// Whether several rows can refer to the same row with a to-one relationship.
  private func canShareTarget(
    _ relationship: Relationship, _ inverse: Relationship?, in entity: Entity
  ) -> Bool {
    !relationship.isToMany && inverse?.isToMany != false
      && !entity.uniqueKeys.contains([relationship.name])
  }
}

extension DeleteRule {
  /// Whether two rules have the same effect.
  fileprivate func hasEffect(of other: DeleteRule) -> Bool { effect == other.effect }

  /// The rule without a confirmation.
  var effect: DeleteRule { self == .cascadeEvenIfShared ? .cascade : self }
}
