import Foundation
import Moho
import TaskList
import Testing

@Suite struct TaskEditorTests {
  private let store: ModelStore
  private let editor: TaskEditor

  init() throws {
    store = try ModelStore(entities: [.task])
    editor = TaskEditor(store)
    for (text, priority) in [("Write report", 1), ("Buy café crème", 2), ("buy milk", 2)] {
      try editor.add(
        change {
          $0.text = text; $0.priority = priority
        })
    }
  }

  private func change(_ body: (inout TaskChange) -> Void) -> TaskChange {
    var change = TaskChange()
    body(&change)
    return change
  }

  private func texts(_ query: TaskQuery = TaskQuery()) throws -> [String] {
    try editor.tasks(query).map(\.text)
  }

  @Test func openTasksComeFirstThenUrgentOnesThenByText() throws {
    #expect(try texts() == ["Write report", "Buy café crème", "buy milk"])

    try editor.edit([.new(1)], change { $0.isCompleted = true })

    #expect(try texts() == ["Buy café crème", "buy milk", "Write report"])
  }

  @Test(arguments: [
    ("CAFE", ["Buy café crème"]), ("BUY", ["Buy café crème", "buy milk"]), ("x", []),
  ])
  func searchingIgnoresCaseAndAccents(search: String, found: [String]) throws {
    var query = TaskQuery()
    query.search = search

    #expect(try texts(query) == found)
    try editor.save()
    #expect(try texts(query) == found)
  }

  @Test func allConditionsMustHold() throws {
    try editor.edit([.new(3)], change { $0.isCompleted = true })
    var query = TaskQuery()
    query.priorities = [2, 5]
    query.isCompleted = false

    #expect(try texts(query) == ["Buy café crème"])
  }

  @Test func savedTasksHaveRowIDsAsNumbers() throws {
    #expect(try editor.tasks().map(\.number) == [.new(1), .new(2), .new(3)])
    #expect(try editor.tasks().allSatisfy { $0.isUnsaved })

    try editor.save()

    #expect(try editor.tasks().map(\.number) == [.stored(1), .stored(2), .stored(3)])
    #expect(try editor.tasks().allSatisfy { !$0.isUnsaved })
    #expect(editor.currentNumber(of: .new(2)) == .stored(2))
  }

  @Test func allInvalidValuesAreListedAndNothingIsSaved() throws {
    try editor.edit(
      [.new(1), .new(2)],
      change {
        $0.text = ""; $0.priority = 9
      })

    let error = #expect(throws: TaskListError.self) { try editor.save() }

    #expect(
      error
        == .invalid([
          "task +1: text is string \"\", expected length from 1 to 120",
          "task +1: priority is number 9, expected at most 5",
          "task +2: text is string \"\", expected length from 1 to 120",
          "task +2: priority is number 9, expected at most 5",
        ]))
    #expect(try store.fetchCount(RowRequest("Task")) == 0)
  }

  @Test func undoAndRedoReturnTheNameOfTheChange() throws {
    try editor.save()
    try editor.delete([.stored(1)])
    #expect(try texts() == ["Buy café crème", "buy milk"])

    #expect(editor.undo() == "delete")
    #expect(try texts().count == 3)
    #expect(!editor.hasChanges)
    #expect(editor.redo() == "delete")
    #expect(try texts().count == 2)
    #expect(editor.redo() == nil)
  }

  @Test(arguments: [TaskNumber.stored(9), .new(9)])
  func anUnknownTaskIsReportedByNumber(number: TaskNumber) throws {
    #expect(throws: TaskListError.noSuchTask(number)) { try editor.delete([number]) }
    #expect(throws: TaskListError.noSuchTask(number)) {
      try editor.edit([.new(1), number], change { $0.text = "?" })
    }
    #expect(try !texts().contains("?"))
  }

  @Test(arguments: [
    ("7", TaskNumber.stored(7)), ("+1", .new(1)), ("0", nil), ("-1", nil), ("+", nil),
  ])
  func numbersAreParsedAndFormatted(text: String, number: TaskNumber?) {
    #expect(TaskNumber(text) == number)
    #expect(number.map { "\($0)" == text } ?? true)
  }
}
