/// Why tasks cannot be edited or saved.
public enum TaskListError: Error, Sendable, Equatable, CustomStringConvertible {
  /// There is no task of a number.
  case noSuchTask(TaskNumber)
  /// Tasks have values that they may not have, each with the reason.
  case invalid([String])

  /// What is wrong.
  public var description: String {
    switch self {
    case .noSuchTask(let number): "there is no task \(number)"
    case .invalid(let reasons): reasons.joined(separator: "\n")
    }
  }
}
