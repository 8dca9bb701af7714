import Foundation
import Moho

/// New values for a task. Nil leaves a value unchanged.
public struct TaskChange: Sendable {
  /// The text.
  public var text: String?
  /// The priority, from 1 (most urgent) to 5.
  public var priority: Int?
  /// Whether the task is done.
  public var isCompleted: Bool?
  /// The due date; `.some(nil)` removes it.
  public var due: Date??

  /// Creates a change without new values.
  public init() {}

  /// - Throws: ``TaskListError`` if the text is only white space. Empty text
  ///   violates a constraint of the entity, which is checked when the task is
  ///   saved.
  func check() throws {
    if let text, !text.isEmpty, text.allSatisfy(\.isWhitespace) {
      throw TaskListError.invalid(["the text is only white space"])
    }
  }

  func apply(to row: ManagedRow) throws {
    if let text { try row.set(TaskKey.text, to: text) }
    if let priority { try row.set(TaskKey.priority, to: priority) }
    if let isCompleted { try row.set(TaskKey.isCompleted, to: isCompleted) }
    if let due { try row.set(TaskKey.due, to: due) }
  }
}
