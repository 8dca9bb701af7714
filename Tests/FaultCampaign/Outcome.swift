/// The outcome of a case.
final class Outcome {
  /// The number of calls that have failed.
  var failures = 0
  /// What was damaged.
  var detail: String?
  /// What is wrong.
  var problems: [String] = []

  /// Runs a closure and notes its error as a problem.
  @discardableResult
  func note<Value>(_ name: String, _ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      problems.append("\(name) throws \(error)")
      return nil
    }
  }
}
