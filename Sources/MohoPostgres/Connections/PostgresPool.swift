import Dispatch
import Foundation
import MohoMapping
import MohoRows
import Synchronization

/// Connections that are used by one thread at a time each. They are opened when
/// they are needed, and replaced after they were lost.
final class PostgresPool: Sendable {
  private struct State {
    /// The last used connection is last.
    var idle: [PostgresConnection] = []
    var schema: Schema?
  }

  private let address: PostgresAddress
  private let configuration: PostgresConfiguration
  private let collations: ServerCollations?
  private let available: DispatchSemaphore
  private let state: Lock<State>

  init(
    _ address: PostgresAddress, _ configuration: PostgresConfiguration, size: Int,
    _ connections: [PostgresConnection] = [], schema: Schema? = nil,
    collations: ServerCollations? = nil
  ) {
    self.address = address
    self.collations = collations
    self.configuration = configuration
    available = DispatchSemaphore(value: max(1, size))
    state = Lock(State(idle: connections, schema: schema))
  }

  /// Runs a closure with a connection whose first statement begins a transaction. Waits for a
  /// connection if all are in use.
  ///
  /// A lost connection is replaced until the server has executed the first statement, with
  /// which the transaction begins. The closure then runs again. After that, the loss is an error.
  ///
  /// - Parameter begin: Sets the statements that begin the transaction. Without them, each
  ///   statement is a transaction of its own.
  func withConnection<Result>(
    begin: (PostgresConnection) throws -> Void, _ body: (PostgresConnection) throws -> Result
  ) throws -> Result {
    available.wait()
    defer { available.signal() }
    var backoff = Backoff(timeout: configuration.reconnectTimeout)
    while true {
      var connection: PostgresConnection?
      do {
        let usable = try takeIdle() ?? connect()
        connection = usable
        defer { release(usable) }
        usable.begin([])
        try begin(usable)
        return try explainingAccess(usable) { try body(usable) }
      } catch let error where Self.hasNotBegun(on: connection, error) {
        // An idle connection that was lost needs no pause, because a new one may
        // succeed at once.
        if (error as? StoreError)?.code != .cannotConnect && backoff.isFirst {
          backoff.isFirst = false
          continue
        }
        guard backoff.wait() else { throw error }
      }
    }
  }

  /// Whether a connection could not be opened, or was lost before a transaction has begun.
  private static func hasNotBegun(on connection: PostgresConnection?, _ error: any Error) -> Bool {
    guard let connection else {
      let code = (error as? StoreError)?.code
      return code == .connectionLost || code == .cannotConnect
    }
    // The closure may have replaced the error of the loss by one of its own.
    return connection.isLost && !connection.hasExecutedStatement && !(error is CancellationError)
  }

  private func explainingAccess<Result>(
    _ connection: PostgresConnection, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch var error as StoreError where error.code == .accessDenied {
      connection.rollBack()
      error.explainAccess(connection)
      throw error
    }
  }

  private func takeIdle() -> PostgresConnection? { state.withLock { $0.idle.popLast() } }

  private func connect() throws -> PostgresConnection {
    let connection = try PostgresConnection(address, settings: configuration.sessionSettings)
    connection.schema = state.withLock { $0.schema }
    connection.onStatement = configuration.onStatement
    connection.log = configuration.log
    connection.collations = collations
    return connection
  }

  /// Closes the connections, none of which is in use.
  func close() {
    // They are released after the lock, because this waits for the network.
    _ = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
  }

  private func release(_ connection: PostgresConnection) {
    connection.clearCancellation()
    connection.rollBack()
    state.withLock { state in
      if connection.isLost {
        // The other connections were probably lost, too.
        state.idle = []
      } else {
        state.idle.append(connection)
      }
    }
  }
}

/// The pauses between attempts.
struct Backoff {
  private let end: ContinuousClock.Instant
  private var pause = 0.02
  var isFirst = true

  init(timeout: TimeInterval) {
    // NaN becomes 0.
    end = .now + .seconds(min(max(0, timeout), 1_000_000))
  }

  /// Waits for a random time that grows with each call. Returns false if the
  /// timeout has passed.
  mutating func wait() -> Bool {
    guard ContinuousClock.now < end else { return false }
    Thread.sleep(forTimeInterval: .random(in: pause / 2...pause))
    pause = min(pause * 2, 1)
    return true
  }
}
