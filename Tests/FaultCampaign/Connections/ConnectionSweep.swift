import Foundation
import Moho
import PostgresTesting

/// Performs an operation of a store on PostgreSQL again and again, each time with another damaged
/// message.
struct ConnectionSweep {
  let operation: ServerOperation
  let workspace: ServerWorkspace
  private let before: [String]
  private let after: [String]
  /// The numbers of messages of the operation without a fault.
  let counts: [ProxyFault.Sender: Int]

  init(_ operation: ServerOperation, in workspace: ServerWorkspace) throws {
    self.operation = operation
    self.workspace = workspace
    try workspace.restore(before: operation)
    before = try workspace.state()
    if operation.opens { workspace.arm(nil, operation) }
    let store = try operation.openStore(workspace.url(operation))
    var users: StoreUsers?
    if !operation.opens {
      if operation.hasUsers { users = try Self.newUsers(store, operation) }
      workspace.arm(nil, operation)
      try operation.perform(&users, store, on: workspace)
    }
    counts = workspace.disarm(operation).messageCounts
    after = try workspace.state()
    users = nil
    try store.close()
  }

  /// All faults that the operation can meet.
  var faults: [ProxyFault] {
    ProxyFault.Sender.allCases.flatMap { sender in
      (0..<(counts[sender] ?? 0)).flatMap { ProxyFault.all(sender, $0 + 1) }
    }
  }

  private static func newUsers(
    _ store: ModelStore, _ operation: ServerOperation
  ) throws -> StoreUsers {
    let users = try StoreUsers(store)
    // Others must not change the rows of the context.
    if operation == .saveContext { try users.edit() }
    return users
  }

  /// Performs the operation with a fault, and judges the outcome.
  func run(_ fault: ProxyFault) throws -> Outcome {
    let outcome = Outcome()
    try workspace.restore(before: operation)
    outcome.note("opening the store") {
      if operation.opens { workspace.arm(fault, operation) }
      let opened = Result { try operation.openStore(workspace.url(operation)) }
      if operation.opens {
        judge(opened, fault, workspace.disarm(operation), outcome)
        judgeState(opened, outcome)
      }
      // After a failure, the store can be opened again.
      let store = try (try? opened.get()) ?? operation.openStore(workspace.url(operation))
      if operation.opens {
        judgeState(.success(store), outcome)
      } else {
        judgeUse(of: store, fault, outcome)
      }
      try store.close()
    }
    judgeEnd(outcome)
    return outcome
  }

  private func judgeUse(of store: ModelStore, _ fault: ProxyFault, _ outcome: Outcome) {
    outcome.note("using the store") {
      var users = operation.hasUsers ? try Self.newUsers(store, operation) : nil
      workspace.arm(fault, operation)
      let result = Result { try operation.perform(&users, store, on: workspace) }
      judge(result, fault, workspace.disarm(operation), outcome)
      let state = judgeState(result, outcome)
      if case .failure = result, state == before {
        outcome.note("the second attempt") {
          try performSeveralTimes(after: fault) {
            try operation.perform(&users, store, on: workspace)
          }
          judgeState(.success(()), outcome)
        }
      }
      guard let users else { return }
      outcome.note("a later save") {
        try store.write { try $0.save(Mark.number(900)) }
        outcome.problems += users.disagreements(waiting: .seconds(10))
        users.context.rollback()
        try users.context.fetch(ModelRequest<Mark>()).first?.set(\.text, to: "again")
        try users.context.save()
        outcome.problems += users.disagreements(waiting: .seconds(10))
        outcome.problems += try store.check().damage
      }
    }
  }

  /// Performs an action. Repeats it if an answer to a damaged message makes it fail.
  private func performSeveralTimes(after fault: ProxyFault, _ action: () throws -> Void) throws {
    for _ in 0..<2 {
      do {
        return try action()
      } catch let error as StoreError where fault.failure.kind == .nonsense {
        // The server has answered a message that the client has not sent. Such an error has the
        // form of an answer to the next statement. Other answers are refused.
        guard error.code == .connectionLost || fault.sender == .client else { throw error }
      }
    }
    try action()
  }

  /// Checks the error of the operation.
  private func judge<Value>(
    _ result: Result<Value, any Error>, _ fault: ProxyFault, _ record: FaultyProxy.Record,
    _ outcome: Outcome
  ) {
    outcome.failures = record.faultCount
    outcome.detail = record.damaged
    guard case .failure(let error) = result else { return }
    guard outcome.failures > 0 else {
      outcome.problems.append("an error without a fault: \(error)")
      return
    }
    let losses: [StoreError.Code] = [.connectionLost, .commitUnknown, .cannotConnect]
    let isExpected =
      switch fault.failure.kind {
      case .delay: false
      case .loss: (error as? StoreError).map { losses.contains($0.code) } ?? false
      case .nonsense: error is StoreError
      }
    if !isExpected { outcome.problems.append("an unexpected error: \(error)") }
  }

  /// Checks the rows on the server.
  @discardableResult
  private func judgeState<Value>(
    _ result: Result<Value, any Error>, _ outcome: Outcome
  ) -> [String]? {
    outcome.note("reading the rows") { () throws -> [String] in
      let state = try workspace.state()
      let expected: [[String]]
      switch result {
      case .success: expected = [after]
      case .failure(let error as StoreError) where error.code == .commitUnknown:
        expected = [before, after]
      // Other programs write.
      case .failure where operation == .update: expected = [state]
      case .failure: expected = [before]
      }
      if !expected.contains(state) {
        let end: String
        switch result {
        case .success: end = "success"
        case .failure(let error): end = "\(error)"
        }
        outcome.problems.append(
          "the database \(FileState.difference(state, expected[0])) after: \(end)")
      }
      return state
    }
  }

  /// Checks that a new store can use the rows.
  private func judgeEnd(_ outcome: Outcome) {
    outcome.note("a new store") {
      let store = try operation.openStore(workspace.url(operation))
      outcome.problems += try store.check().damage
      try store.write { try $0.save(Podcast.number(900)) }
      try store.close()
    }
  }
}
