import Dispatch
import Foundation
import MohoMapping
import MohoRows
import Synchronization

/// A transaction that is running on a thread.
struct PostgresTransaction {
  let connection: PostgresConnection
  let isWriting: Bool
}

/// The transactions that run on the threads of a process. Nested calls use the
/// transaction of the outer call.
// SAFETY: Each thread reads and writes only its own transactions, and the
// dictionary is locked.
final class CurrentTransactions: @unchecked Sendable {
  private struct Entry {
    /// Nil hides the outer transactions.
    var transactions: [PostgresTransaction?] = []
    var cancellation: PostgresCancellation?
  }

  private struct Entries: @unchecked Sendable {
    var byThread: [pthread_t: Entry] = [:]
  }

  private let entries = Lock(Entries())

  /// The innermost transaction of the calling thread.
  var current: PostgresTransaction? {
    let thread = pthread_self()
    return entries.withLock { entries in
      Box(value: entries.byThread[thread]?.transactions.last ?? nil)
    }.value
  }

  /// The cancellation of the task for which the calling thread works.
  var cancellation: PostgresCancellation? {
    let thread = pthread_self()
    return entries.withLock { $0.byThread[thread]?.cancellation }
  }

  /// Runs a closure whose calls of the engine use a transaction.
  func run<Result>(
    _ transaction: PostgresTransaction, _ body: () throws -> Result
  ) rethrows -> Result {
    let box = Box(value: transaction)
    change { $0.transactions.append(box.value) }
    defer { change { _ = $0.transactions.popLast() } }
    return try body()
  }

  /// Runs a closure whose calls of the engine do not use the transactions of the
  /// calling thread.
  func hidingTransactions<Result>(_ body: () throws -> Result) rethrows -> Result {
    change { $0.transactions.append(nil) }
    defer { change { _ = $0.transactions.popLast() } }
    return try body()
  }

  /// Runs a closure whose statements are interrupted by a cancellation.
  func run<Result>(
    _ cancellation: PostgresCancellation, _ body: () throws -> Result
  ) rethrows -> Result {
    change { $0.cancellation = cancellation }
    defer { change { $0.cancellation = nil } }
    return try body()
  }

  private func change(_ body: (inout Entry) -> Void) {
    let thread = pthread_self()
    entries.withLock { entries in
      var entry = entries.byThread[thread] ?? Entry()
      body(&entry)
      let isEmpty = entry.transactions.isEmpty && entry.cancellation == nil
      entries.byThread[thread] = isEmpty ? nil : entry
    }
  }

  // SAFETY: The value stays on one thread.
  private struct Box<Value>: @unchecked Sendable {
    let value: Value
  }
}

/// Cancels the transaction of a task.
final class PostgresCancellation: Sendable {
  private struct State {
    var isCanceled = false
    var connection: PostgresConnection?
    var waiting: DispatchSemaphore?
  }

  private let state = Lock(State())

  /// Makes all later statements throw, without waiting for the server.
  func cancel() {
    state.withLock { state in
      state.isCanceled = true
      state.connection?.refuseStatements()
      state.waiting?.signal()
    }
  }

  /// Interrupts the running statement.
  func interrupt() { state.withLock { $0.connection?.interruptIfCanceled() } }

  /// Cancels the statements of a connection, too, until it is detached.
  func attach(_ connection: PostgresConnection) throws {
    try state.withLock { state in
      if state.isCanceled { throw CancellationError() }
      state.connection = connection
    }
  }

  /// - Throws: `CancellationError` if the task was canceled.
  func detach() throws {
    try state.withLock { state in
      state.connection = nil
      if state.isCanceled { throw CancellationError() }
    }
  }

  /// Waits until a semaphore is signaled, the task is canceled, or a time has passed.
  func wait(for semaphore: DispatchSemaphore, until deadline: DispatchTime) {
    let isCanceled = state.withLock { state in
      state.waiting = semaphore
      return state.isCanceled
    }
    if !isCanceled { _ = semaphore.wait(timeout: deadline) }
    state.withLock { $0.waiting = nil }
  }

  func check() throws {
    if state.withLock({ $0.isCanceled }) { throw CancellationError() }
  }
}
