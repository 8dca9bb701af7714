import GRDB
import MohoRows

extension StatementLog {
  /// Starts logging the statements of a connection.
  func attach(to database: Database) {
    database.trace(options: .profile) { event in
      guard case .profile(let statement, let duration) = event else { return }
      // The statement is valid only during the call.
      log(duration: duration, { showsArguments ? statement.expandedSQL : statement.sql })
    }
  }
}
