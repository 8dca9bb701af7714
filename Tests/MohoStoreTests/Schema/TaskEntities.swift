import MohoMapping
import MohoRows

extension Entity {
  static let list = Entity(
    "List", attributes: [Attribute("name", .string)],
    relationships: [.toMany("tasks", "Task", isOrdered: true, inverse: "list", onDelete: .cascade)],
    unique: [["name"]])

  static let task = Entity(
    "Task",
    attributes: [
      Attribute("text", .string, constraints: [.length(1...200)]),
      Attribute("priority", .int16, default: .int64(3), constraints: .range(1...5)),
      Attribute("isCompleted", .boolean, default: .bool(false)),
    ],
    relationships: [
      .toOne("list", "List", isOptional: false, inverse: "tasks"),
      .toMany("tags", "Tag", inverse: "tasks"),
      .toOne("next", "Task", inverse: "previous", whenThisIsDeleted: .deny),
      .toOne("previous", "Task", inverse: "next"),
    ],
    unique: [["text", "list"]], indexes: [["isCompleted", "priority"]])

  static let tag = Entity(
    "Tag", attributes: [Attribute("name", .string)],
    relationships: [.toMany("tasks", "Task", isOrdered: true, inverse: "tags", onDelete: .cascade)])
}
