import Foundation
import Moho

/// Edits tasks in a scratch pad: nothing is in the store before it is saved, and
/// all can be undone.
public final class TaskEditor {
  private let context: EditingContext
  /// The rows that were made here, by whose places they are known until they
  /// are saved.
  private var made: [ManagedRow] = []

  /// Begins to edit the tasks of a store.
  public init(_ store: ModelStore) { context = EditingContext(store) }

  /// The tasks of a query as they are now, with what is not saved.
  ///
  /// - Throws: `StoreError`.
  public func tasks(_ query: TaskQuery = TaskQuery()) throws -> [TaskItem] {
    try context.fetch(query.request).map { try TaskItem($0, number(of: $0)) }
  }

  /// Adds a task.
  ///
  /// - Returns: The number that it has until it is saved.
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
  /// - Parameter name: What undoing it is called.
  /// - Throws: ``TaskListError`` if a task does not exist or the text is only white
  ///   space; `StoreError`. No task is changed then.
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
  /// - Throws: As ``edit(_:_:named:)``.
  public func delete(_ numbers: [TaskNumber]) throws {
    let rows = try numbers.map { try row($0) }
    try context.undoGroup("delete") { try context.delete(rows) }
  }

  /// Takes back what was done last.
  ///
  /// - Returns: What that was, or nil where there is nothing.
  public func undo() -> String? {
    let name = context.undoName ?? ""
    return context.undo() ? name : nil
  }

  /// Does again what was undone last.
  ///
  /// - Returns: What that was, or nil where there is nothing.
  public func redo() -> String? {
    let name = context.redoName ?? ""
    return context.redo() ? name : nil
  }

  /// Whether there is anything to save.
  public var hasChanges: Bool { context.hasChanges }

  /// Writes what has changed to the store.
  ///
  /// - Throws: ``TaskListError`` with all that is wrong with the tasks;
  ///   `ConflictError` where another program has changed them too; `StoreError`.
  ///   Nothing is written then.
  public func save() throws {
    do {
      try context.save()
    } catch let error as ValidationError {
      throw TaskListError.invalid(error.failures.map(reason))
    }
  }

  /// Forgets what is not saved, and what was read.
  public func revert() {
    context.reset()
    made = []
  }

  private func number(of row: ManagedRow) -> TaskNumber {
    if let identity = row.identity.stored { return .stored(identity) }
    if let place = made.firstIndex(of: row) { return .new(place + 1) }
    made.append(row)
    return .new(made.count)
  }

  /// The number that a task has now that it was known by another.
  public func currentNumber(of number: TaskNumber) -> TaskNumber {
    guard let row = try? row(number) else { return number }
    return self.number(of: row)
  }

  private func row(_ number: TaskNumber) throws -> ManagedRow {
    let row: ManagedRow
    switch number {
    case .new(let place):
      guard made.indices.contains(place - 1) else { throw TaskListError.noSuchTask(number) }
      row = made[place - 1]
    case .stored(let identity):
      row = try context.row(RowIdentity(entity: Entity.task.name, stored: identity))
    }
    do {
      _ = try row[TaskKey.text]
    } catch let error as StoreError where error.code == .rowIsGone {
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
