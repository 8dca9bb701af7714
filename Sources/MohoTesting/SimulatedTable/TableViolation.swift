/// A batch update that a table view would refuse or show wrongly.
public struct TableViolation: Error, Hashable, Sendable {
  /// The rule that the batch breaks.
  public let rule: TableRule
  /// What is wrong, close to the words of the views' exceptions.
  public let message: String

  init(_ rule: TableRule, _ message: String) {
    self.rule = rule
    self.message = message
  }
}

extension TableViolation: CustomStringConvertible {
  /// The rule and the message.
  public var description: String { "\(rule): \(message)" }
}
