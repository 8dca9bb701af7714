import MohoChanges
import MohoTesting

/// A batch that violates one rule, and a legal batch with the same initial
/// rows.
struct TableRuleCase: Sendable, CustomStringConvertible {
  let rule: TableRule
  let description: String
  let before: SimulatedTable<String>.Rows
  let illegal: TableOperations
  let illegalAfter: SimulatedTable<String>.Rows
  let legal: TableOperations
  let legalAfter: SimulatedTable<String>.Rows

  init(
    _ rule: TableRule, _ name: String, before: String,
    illegal: (String, (inout TableOperations) -> Void),
    legal: (String, (inout TableOperations) -> Void)
  ) {
    self.rule = rule
    description = "\(rule): \(name)"
    self.before = .init(before)
    self.illegal = TableOperations(illegal.1)
    illegalAfter = .init(illegal.0)
    self.legal = TableOperations(legal.1)
    legalAfter = .init(legal.0)
  }
}

func move(_ from: (Int, Int), _ to: (Int, Int)) -> BatchPlan.Move {
  BatchPlan.Move(from: RowPath(from.0, from.1), to: RowPath(to.0, to.1))
}

func configure(_ old: (Int, Int), _ new: (Int, Int)) -> BatchPlan.Reconfiguration {
  BatchPlan.Reconfiguration(
    old: RowPath(old.0, old.1), new: RowPath(new.0, new.1), changedKeys: ["title"])
}
