import MohoRows
import Synchronization

/// The statements that a store executes while they are recorded.
final class StatementRecorder: Sendable {
  /// The recorders of stores on PostgreSQL. A new store replaces the recorder of a store
  /// that no longer exists.
  private static let ofStores = Mutex<[ObjectIdentifier: StatementRecorder]>([:])

  private let recorded = Mutex<[String]?>(nil)

  static func recorder(of store: ModelStore) throws -> StatementRecorder {
    let recorder = ofStores.withLock { $0[ObjectIdentifier(store)] }
    guard let recorder else { throw CancellationError() }
    return recorder
  }

  func records(statementsOf store: ModelStore) {
    Self.ofStores.withLock { $0[ObjectIdentifier(store)] = self }
  }

  func add(_ statement: String) { recorded.withLock { $0?.append(statement) } }

  /// Returns the statements that are executed while a closure runs.
  func record(_ body: () throws -> Void) rethrows -> [String] {
    recorded.withLock { $0 = [] }
    defer { recorded.withLock { $0 = nil } }
    try body()
    return recorded.withLock { $0 ?? [] }
  }
}
