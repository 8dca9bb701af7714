import CFaultyFiles
import Foundation
import GRDB
import Moho

/// Performs an operation again and again, each time with another fault.
struct FaultSweep {
  let operation: Operation
  let workspace: Workspace
  private let before: FileState
  private let after: FileState
  /// The numbers of calls of the operation without a fault.
  let counts: [Fault.Call: Int]

  init(_ operation: Operation, in workspace: Workspace) throws {
    self.operation = operation
    self.workspace = workspace
    try workspace.restore(workspace.files(before: operation))
    before = try FileState(workspace.path)
    try workspace.restore(workspace.files(before: operation))
    faulty_arm(-1, 0, 0, 0, 0)
    let store = try operation.openStore(workspace.path)
    if !operation.opens {
      let users = try StoreUsers(store)
      try users.edit()
      faulty_arm(-1, 0, 0, 0, 0)
      try operation.perform(in: users)
    }
    counts = Dictionary(
      uniqueKeysWithValues: Fault.Call.allCases.map { ($0, Int(faulty_count($0.rawValue))) })
    after = try FileState(workspace.path)
    try store.writer.close()
  }

  /// All faults that the operation can meet.
  var faults: [Fault] {
    // A call that is repeated after a failure can fail again.
    Fault.Call.allCases.flatMap { call in
      counts[call].map { $0 > 0 ? Fault.all(call, numbers: 1...$0) : [] } ?? []
    }
  }

  /// Performs the operation with a fault, and judges the outcome.
  func run(_ fault: Fault) throws -> Outcome {
    try workspace.restore(workspace.files(before: operation))
    return operation.opens ? openingOutcome(fault) : usingOutcome(fault)
  }

  private func openingOutcome(_ fault: Fault) -> Outcome {
    let outcome = Outcome()
    fault.arm()
    let opened = Result { try operation.openStore(workspace.path) }
    outcome.failures = Fault.disarm()
    judge(opened, fault, outcome)
    judgeFile(isDone: (try? opened.get()) != nil, outcome)
    outcome.note("opening the store again") {
      let store = try (try? opened.get()) ?? operation.openStore(workspace.path)
      judgeStore(store, outcome)
      try store.writer.close()
    }
    judgeEnd(outcome)
    return outcome
  }

  private func usingOutcome(_ fault: Fault) -> Outcome {
    let outcome = Outcome()
    outcome.note("opening the store") {
      let store = try operation.openStore(workspace.path)
      var users: StoreUsers? = try StoreUsers(store)
      try users?.edit()
      fault.arm()
      let result = Result { try users.map { try operation.perform(in: $0) } ?? () }
      outcome.failures = Fault.disarm()
      judge(result, fault, outcome)
      let state = judgeFile(isDone: (try? result.get()) != nil, outcome)
      if operation != .close, let users {
        judgeStore(store, outcome)
        if state == before, (try? result.get()) == nil {
          outcome.note("the second attempt") { try operation.perform(in: users) }
          judgeFile(isDone: true, outcome)
        }
        outcome.note("a later save") {
          try store.write { try $0.save(Mark.number(900)) }
          outcome.problems += try users.disagreements()
          if operation != .saveContext || users.context.hasChanges {
            users.context.rollback()
            try users.context.fetch(ModelRequest<Mark>()).first?.set(\.text, to: "again")
            try users.context.save()
            outcome.problems += try users.disagreements()
          }
          judgeStore(store, outcome)
        }
      }
      users = nil
      outcome.note("closing the store") { try store.writer.close() }
    }
    judgeEnd(outcome)
    return outcome
  }

  /// Checks the error of the operation.
  private func judge<Value>(_ result: Result<Value, any Error>, _ fault: Fault, _ outcome: Outcome)
  {
    guard case .failure(let error) = result else { return }
    guard outcome.failures > 0 else {
      outcome.problems.append("an error without a fault: \(error)")
      return
    }
    if operation == .close || operation == .checkpoint, error is DatabaseError { return }
    let expected: [StoreError.Code] =
      switch fault.failure {
      case .error, .errorAfterwards: [.inputOutput]
      case .full, .halfway: [.full]
      case .cannotOpen: [.cannotOpen]
      case .busy: [.busy]
      case .ignored: []
      }
    guard let error = error as? StoreError, expected.contains(error.code) else {
      outcome.problems.append("an unexpected error: \(error)")
      return
    }
    if error.subject == nil { outcome.problems.append("an error without a path: \(error)") }
  }

  /// Checks the file from another connection.
  @discardableResult
  private func judgeFile(isDone: Bool, _ outcome: Outcome) -> FileState? {
    outcome.note("reading the file") { () throws -> FileState in
      let state = try FileState(workspace.path)
      outcome.problems += state.problems
      if isDone ? state != after : state != after && state != before {
        outcome.problems.append(
          "the file \(FileState.difference(state.lines, isDone ? after.lines : before.lines))")
      }
      return state
    }
  }

  /// Checks that all connections of the store read what is in the file, and have no open
  /// transaction.
  private func judgeStore(_ store: ModelStore, _ outcome: Outcome) {
    outcome.note("using the store") {
      let file = try FileState(workspace.path)
      let (written, isInTransaction) = try store.writer.unsafeReentrantWrite {
        (try FileState.lines($0), $0.isInsideTransaction)
      }
      let read = try store.writer.read { try FileState.lines($0) }
      for (name, lines) in [("writes", written), ("reads", read)] where lines != file.lines {
        outcome.problems.append(
          "the connection that \(name) \(FileState.difference(lines, file.lines))")
      }
      if isInTransaction { outcome.problems.append("a transaction is open") }
      let enforcesLinks = try store.writer.unsafeReentrantWrite {
        try Bool.fetchOne($0, sql: "PRAGMA foreign_keys")
      }
      if enforcesLinks != true { outcome.problems.append("foreign keys are off") }
      outcome.problems += try store.check().damage
    }
  }

  /// Checks that a new store can use the file.
  private func judgeEnd(_ outcome: Outcome) {
    outcome.note("a new store") {
      let store = try operation.openStore(workspace.path)
      judgeStore(store, outcome)
      try store.write { writer in
        try writer.save(Podcast.number(900))
        try writer.delete(ModelRequest<Podcast>().filter { $0.id == 900 })
      }
      try store.writer.close()
    }
  }
}
