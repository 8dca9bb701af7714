import Foundation
import Moho
import MohoPostgres
import PostgresTesting

/// An operation of a store on PostgreSQL whose faults are tested.
enum ServerOperation: String, CaseIterable {
  // Operations that open a store.
  case create, open, openEncrypted, openWithPassword, migrate
  // Operations of an open store.
  case read, readHistory, saveOne, save, importModels, saveGraph, saveContext, delete, deleteModels
  case plan, trimHistory
  // Operations whose listener meets the faults.
  case observe, follow, update

  /// Whether the operation opens a store.
  var opens: Bool {
    switch self {
    case .create, .open, .openEncrypted, .openWithPassword, .migrate: true
    default: false
    }
  }

  /// Whether the store has no tables before the operation.
  var createsTables: Bool { self == .create }

  /// Whether the tables have another form after the operation.
  var changesTables: Bool { self == .create || self == .migrate }

  /// Whether the store has a context and controllers before the operation.
  var hasUsers: Bool { !opens && self != .observe }

  /// The connections that meet the faults.
  var scope: FaultyProxy.Scope {
    switch self {
    case .follow, .update: .listening
    default: opens || self == .observe ? .all : .other
    }
  }

  /// Opens the store. If the operation opens a store, this is the operation.
  func openStore(_ url: String) throws -> ModelStore {
    var configuration = PostgresConfiguration()
    configuration.reconnectTimeout = 0.3
    configuration.history = .enabled()
    guard self == .migrate else {
      return try ModelStore(
        postgres: url, models: Mark.self, Podcast.self, configuration: configuration)
    }
    configuration.renamings = [Renaming(\LaterMark.content, from: "text")]
    return try ModelStore(
      postgres: url, models: LaterMark.self, Podcast.self, configuration: configuration)
  }

  /// Performs an operation of an open store.
  ///
  /// - Parameters:
  ///   - users: The users of the store, which `observe` makes.
  ///   - server: The workspace, for programs that write without the proxy.
  func perform(_ users: inout StoreUsers?, _ store: ModelStore, on server: ServerWorkspace) throws {
    switch self {
    case .create, .open, .openEncrypted, .openWithPassword, .migrate: break
    case .observe: users = try StoreUsers(store)
    case .read:
      let podcasts = ModelRequest<Podcast>().order(by: \.id)
      let isRight =
        try store.fetch(StoreUsers.request) == server.store.fetch(StoreUsers.request)
        && store.fetch(podcasts) == server.store.fetch(podcasts)
      if !isRight { throw WrongRows() }
    case .readHistory:
      // The tokens of transactions name others that were in progress.
      let changes = try store.fetchHistory(since: nil).map(\.changes)
      if try changes != server.store.fetchHistory(since: nil).map(\.changes) { throw WrongRows() }
    case .saveOne:
      try store.write { writer in
        for id in 30..<35 { try writer.save(Mark.number(id, round: 1)) }
      }
    case .importModels:
      // The second and the third batch are copied.
      let text = String(repeating: "long ", count: 9_000)
      try store.write { writer in
        try writer.save((1_000..<1_100).map { Mark(id: $0, text: text, length: $0) })
      }
    case .update:
      for round in 1...3 {
        try server.store.write { writer in
          try writer.save(Mark.number(round, round: 3))
          try writer.save(Podcast.number(round, round: 1))
        }
        // The listener may need a second to connect again.
        _ = users?.disagreements(waiting: .seconds(1))
      }
    case .save: try perform(.save, users)
    case .saveGraph: try perform(.saveGraph, users)
    case .saveContext: try perform(.saveContext, users)
    case .delete: try perform(.delete, users)
    case .deleteModels: try perform(.deleteModels, users)
    case .plan: try perform(.plan, users)
    case .trimHistory: try perform(.trimHistory, users)
    case .follow: try perform(.follow, users)
    }
  }

  private func perform(_ operation: Operation, _ users: StoreUsers?) throws {
    if let users { try operation.perform(in: users) }
  }
}

/// Rows that are not in the database.
struct WrongRows: Error {}

extension StoreUsers {
  /// Returns what the users disagree about after some time, in which the listener of the store
  /// can connect again.
  func disagreements(waiting time: Duration) -> [String] {
    let end = ContinuousClock.now + time
    while true {
      let problems: [String]
      do { problems = try disagreements() } catch { problems = ["a user throws \(error)"] }
      if problems.isEmpty || ContinuousClock.now > end { return problems }
      usleep(2_000)
    }
  }
}
