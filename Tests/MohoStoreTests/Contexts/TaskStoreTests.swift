import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests the store of a task manager: a declared entity, rows, combined
/// filters, an ordering with three keys, saving, validation and undo.
@Suite(.allEngines) struct TaskStoreTests {
  /// A model for the keys of the declared entity.
  struct Task: MappedModel {
    var text: String
    var priority: Int
    var isCompleted: Bool
    var dueDate: Date?

    static let mapping = Mapping(
      "Task", Task.init, .key("text", \.text), .key("priority", \.priority),
      .key("isCompleted", \.isCompleted), .key("dueDate", \.dueDate))
  }

  static let entity = Entity(
    "Task",
    attributes: [
      Attribute("text", .string, constraints: [.length(1...60)]),
      Attribute("priority", .int16, default: .int64(3), constraints: .range(1...5)),
      Attribute("isCompleted", .boolean, default: .bool(false)),
      Attribute("dueDate", .date, isOptional: true),
    ])

  @Test func nilSatisfiesAConstraintWithoutValues() throws {
    let entity = Entity(
      "Task",
      attributes: [
        Attribute("text", .string),
        Attribute("state", .string, isOptional: true, constraints: [.oneOf([])]),
      ])
    let store = try emptyStore(entities: [entity])
    let context = EditingContext(store)

    let task = try context.insert("Task")
    try task.set(\Task.text, to: "a")
    try context.save()

    try store.write { writer in
      #expect(throws: StoreError.self) {
        try writer.execute(sql: "UPDATE \"Task\" SET state = 'x'")
      }
    }
    #expect(try store.fetchCount(RowRequest("Task")) == 1)
  }

  @Test func tasksAreMadeFoundSavedCheckedAndUndone() throws {
    let store = try emptyStore(entities: [Self.entity])
    let context = EditingContext(store)
    func task(_ text: String, _ priority: Int, day: Double?, isCompleted: Bool = false) throws {
      let row = try context.insert("Task")
      try row.set(\Task.text, to: text)
      try row.set(\Task.priority, to: priority)
      try row.set(\Task.isCompleted, to: isCompleted)
      try row.set(
        \Task.dueDate, to: day.map { Date(timeIntervalSinceReferenceDate: $0 * 86_400) })
    }
    try task("Buy milk", 2, day: 3)
    try task("Buy caf\u{e9} cr\u{e8}me", 5, day: 1)
    try task("Write report", 5, day: 2)
    try task("Call mother", 5, day: nil)
    try task("Return books", 1, day: 0, isCompleted: true)
    let last = try context.insert("Task")
    try last.set("text", to: "Think")
    #expect(try last["priority"] == .int64(3))
    #expect(try store.values("SELECT count(*) FROM \"Task\"") == ["0"])
    try context.save()

    let open = ModelRequest<Task>().filter { !$0.isCompleted && $0.priority >= 3 }
      .order(by: \.priority, .descending).order(by: \.dueDate).order(by: \.text)
    #expect(
      try context.fetch(open.rows).texts("text") == [
        "Call mother", "Buy caf\u{e9} cr\u{e8}me", "Write report", "Think",
      ])
    let buying = ModelRequest<Task>().filter {
      $0.text.contains("CAFE", [.caseInsensitive, .diacriticInsensitive]) || $0.priority < 2
    }.order(by: \.text)
    #expect(
      try context.fetch(buying.rows).texts("text") == [
        "Buy caf\u{e9} cr\u{e8}me", "Return books",
      ])

    let rows = try context.fetch(open.rows)
    try context.undoGroup("Spoil") {
      try rows[0].set("priority", to: 9)
      try rows[0].set("text", to: "")
      try rows[1].set("text", to: .null)
      _ = try context.insert("Task")
    }
    let error = #expect(throws: RowValidationError.self) { try context.save() }
    #expect(
      error?.description.split(separator: "\n").map { $0.prefix { $0 != "-" } } == [
        "missing value: null, expected string ",
        "invalid value: string \"\", expected length from 1 to 60 ",
        "invalid value: number 9, expected at most 5 ",
        "missing value: null, expected string ",
      ])
    #expect(context.undoName == "Spoil")
    context.undo()
    #expect(!context.hasChanges)
    try context.save()
    #expect(try EditingContext(store).fetch(open).count == 4)
  }
}
