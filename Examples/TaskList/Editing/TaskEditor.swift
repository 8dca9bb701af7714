import Foundation
import Moho

/// Edits tasks with undo. Changes are not written to the store until they are
/// saved.
public final class TaskEditor {
  private let context: EditingContext
  /// The new rows, whose positions are the numbers of new tasks.
  private var newRows: [ManagedRow] = []

  /// Creates an editor of the tasks in a store.
  public init(_ store: ModelStore) { context = EditingContext(store) }

  /// Fetches the tasks of a query, including unsaved changes.
  ///
  /// - Throws: `StoreError`.
  public func tasks(_ query: TaskQuery = TaskQuery()) throws -> [TaskItem] {
    try context.fetch(query.request).map { try TaskItem($0, number(of: $0)) }
  }

  /// Adds a task.
  ///
  /// - Returns: The number of the task until it is saved.
  /// - Throws: ``TaskListError`` if the text is only white space; `StoreError`.
  @discardableResult
  public func add(_ change: TaskChange) throws -> TaskNumber {
    try change.check()
    return try context.undoGroup("add") {
      let row = try context.insert(Entity.task.name)
      try change.apply(to: row)
      return number(of: row)
    }
  }

  /// Changes tasks.
  ///
  /// - Parameter name: The name of the change for undo.
  /// - Throws: ``TaskListError`` if a task does not exist or the text is only
  ///   white space; `StoreError`. No task is changed then.
  public func edit(
    _ numbers: [TaskNumber], _ change: TaskChange, named name: String = "edit"
  ) throws {
    try change.check()
    let rows = try numbers.map { try row($0) }
    try context.undoGroup(name) {
      for row in rows { try change.apply(to: row) }
    }
  }

  /// Deletes tasks.
  ///
  /// - Throws: The errors of ``edit(_:_:named:)``.
  public func delete(_ numbers: [TaskNumber]) throws {
    let rows = try numbers.map { try row($0) }
    try context.undoGroup("delete") { try context.delete(rows) }
  }

  /// Undoes the last change.
  ///
  /// - Returns: The name of the change, or nil if there is nothing to undo.
  public func undo() -> String? {
    let name = context.undoName ?? ""
    return context.undo() ? name : nil
  }

  /// Redoes the change that was undone last.
  ///
  /// - Returns: The name of the change, or nil if there is nothing to redo.
  public func redo() -> String? {
    let name = context.redoName ?? ""
    return context.redo() ? name : nil
  }

  /// Whether there are unsaved changes.
  public var hasChanges: Bool { context.hasChanges }

  /// Saves all changes.
  ///
  /// - Throws: ``TaskListError`` with all invalid values, `ConflictError` if
  ///   another program has changed the same tasks, or `StoreError`. Nothing is
  ///   saved then.
  public func save() throws {
    do {
      try context.save()
    } catch let error as RowValidationError {
      throw TaskListError.invalid(error.failures.map(reason))
    }
  }

  /// Discards unsaved changes, and reads the tasks again when they are needed.
  public func revert() {
    context.reset()
    newRows = []
  }

  private func number(of row: ManagedRow) -> TaskNumber {
    if let identity = row.identity.stored { return .stored(identity) }
    if let index = newRows.firstIndex(of: row) { return .new(index + 1) }
    newRows.append(row)
    return .new(newRows.count)
  }

  /// The current number of a task. The number of a new task changes when it is
  /// saved.
  public func currentNumber(of number: TaskNumber) -> TaskNumber {
    guard let row = try? row(number) else { return number }
    return self.number(of: row)
  }

  private func row(_ number: TaskNumber) throws -> ManagedRow {
    let row: ManagedRow
    switch number {
    case .new(let position):
      guard newRows.indices.contains(position - 1) else { throw TaskListError.noSuchTask(number) }
      row = newRows[position - 1]
    case .stored(let identity):
      row = try context.row(RowIdentity(entity: Entity.task.name, stored: identity))
    }
    do {
      _ = try row[TaskKey.text]
    } catch let error as StoreError where error.code == .rowNotFound {
      throw TaskListError.noSuchTask(number)
    }
    switch row.state {
    case .deleted, .detached: throw TaskListError.noSuchTask(number)
    default: return row
    }
  }

  private func reason(_ failure: ValidationFailure) -> String {
    let number = (try? context.row(failure.row)).map { "\(self.number(of: $0))" } ?? "?"
    let expected = failure.expected.map { ", expected \($0)" } ?? ""
    return "task \(number): \(failure.keys.joined(separator: ", ")) is \(failure.found)\(expected)"
  }
}
