/// An error while editing or saving tasks.
public enum TaskListError: Error, Sendable, Equatable, CustomStringConvertible {
  /// No task has the number.
  case noSuchTask(TaskNumber)
  /// Values of tasks are invalid, for these reasons.
  case invalid([String])

  /// The message; the reasons of invalid values on a line each.
  public var description: String {
    switch self {
    case .noSuchTask(let number): "task \(number) does not exist"
    case .invalid(let reasons): reasons.joined(separator: "\n")
    }
  }
}
