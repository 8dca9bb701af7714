import Moho

extension Entity {
  /// The entity of tasks. It is declared directly, without a Swift model type.
  public static let task = Entity(
    "Task",
    attributes: [
      Attribute(TaskKey.text, .string, constraints: [.length(1...120)]),
      Attribute(TaskKey.priority, .int16, default: .int64(3), constraints: .range(1...5)),
      Attribute(TaskKey.isCompleted, .boolean, default: .bool(false)),
      Attribute(TaskKey.due, .date, isOptional: true),
    ])
}

/// The names of a task's keys.
enum TaskKey {
  static let text = "text"
  static let priority = "priority"
  static let isCompleted = "isCompleted"
  static let due = "due"
}
