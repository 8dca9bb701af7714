import Foundation
import Moho

/// The values of a task.
public struct TaskItem: Sendable, Equatable {
  /// The number of the task.
  public let number: TaskNumber
  /// The text.
  public let text: String
  /// The priority, from 1 (most urgent) to 5.
  public let priority: Int
  /// Whether the task is done.
  public let isCompleted: Bool
  /// The due date, or nil.
  public let due: Date?
  /// Whether the task is new or has unsaved changes.
  public let isUnsaved: Bool

  init(_ row: ManagedRow, _ number: TaskNumber) throws {
    self.number = number
    // An unsaved task may have no text yet.
    text = try row.value(TaskKey.text, as: String?.self) ?? ""
    priority = try row.value(TaskKey.priority, as: Int.self)
    isCompleted = try row.value(TaskKey.isCompleted, as: Bool.self)
    due = try row.value(TaskKey.due, as: Date?.self)
    isUnsaved = row.state != .unchanged
  }
}

/// The number of a task: its row id in the store, or its position among the new
/// tasks until it is saved.
public enum TaskNumber: Sendable, Hashable {
  /// The row id of a saved task.
  case stored(Int64)
  /// The position among the new tasks of an editor, from 1.
  case new(Int)
}

extension TaskNumber: LosslessStringConvertible {
  /// Parses `7`, or `+1` for a new task.
  public init?(_ text: String) {
    if text.hasPrefix("+") {
      guard let position = Int(text.dropFirst()), position > 0 else { return nil }
      self = .new(position)
    } else {
      guard let identity = Int64(text), identity > 0 else { return nil }
      self = .stored(identity)
    }
  }

  /// `7`, or `+1` for a new task.
  public var description: String {
    switch self {
    case .stored(let identity): "\(identity)"
    case .new(let position): "+\(position)"
    }
  }
}
