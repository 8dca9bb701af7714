/// The error of a batch update that a table view would reject or display
/// wrongly.
public struct TableViolation: Error, Hashable, Sendable {
  /// The broken rule.
  public let rule: TableRule
  /// A description that resembles the exceptions of the views.
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
