import Foundation
import Moho

/// A task as it is shown.
public struct TaskItem: Sendable, Equatable {
  /// What the task is known by.
  public let number: TaskNumber
  /// What is to be done.
  public let text: String
  /// From 1, the most urgent, to 5.
  public let priority: Int
  /// Whether it is done.
  public let isCompleted: Bool
  /// The day by which it is to be done, or nil.
  public let due: Date?
  /// Whether the store does not have it as it is shown.
  public let isUnsaved: Bool

  init(_ row: ManagedRow, _ number: TaskNumber) throws {
    self.number = number
    // Tasks that are not saved may still lack what they need.
    text = try row.value(TaskKey.text, as: String?.self) ?? ""
    priority = try row.value(TaskKey.priority, as: Int.self)
    isCompleted = try row.value(TaskKey.isCompleted, as: Bool.self)
    due = try row.value(TaskKey.due, as: Date?.self)
    isUnsaved = row.state != .unchanged
  }
}

/// What a task is known by: the number that the store has given it, or, as
/// long as it is not saved, its place among the new ones.
public enum TaskNumber: Sendable, Hashable {
  /// The identity in the store.
  case stored(Int64)
  /// The place among the tasks that an editor has made, from 1.
  case new(Int)
}

extension TaskNumber: LosslessStringConvertible {
  /// Reads `7`, or `+1` of a new task.
  public init?(_ text: String) {
    if text.hasPrefix("+") {
      guard let place = Int(text.dropFirst()), place > 0 else { return nil }
      self = .new(place)
    } else {
      guard let identity = Int64(text), identity > 0 else { return nil }
      self = .stored(identity)
    }
  }

  /// `7`, or `+1` of a new task.
  public var description: String {
    switch self {
    case .stored(let identity): "\(identity)"
    case .new(let place): "+\(place)"
    }
  }
}
