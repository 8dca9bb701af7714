import Foundation
import Moho

/// What to change of a task: keys that are nil stay as they are.
public struct TaskChange: Sendable {
  /// What is to be done.
  public var text: String?
  /// From 1, the most urgent, to 5.
  public var priority: Int?
  /// Whether it is done.
  public var isCompleted: Bool?
  /// The day by which it is to be done; a nil inside takes it away.
  public var due: Date??

  /// Makes a change of nothing.
  public init() {}

  /// - Throws: ``TaskListError`` if the text is white space. An empty text is left
  ///   to the constraint of the entity, which is checked when the task is saved.
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
