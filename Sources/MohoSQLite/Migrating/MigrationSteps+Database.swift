public import GRDB
public import MohoRows

extension MigrationSteps {
  /// Runs a closure with the SQLite connection, inside the transaction of the
  /// migration. Stores on other databases cannot run the migration.
  ///
  /// `ModelStore.migrationPlan(path:models:entities:configuration:)` does not
  /// run the closure. A plan contains only its summary.
  public mutating func run(
    _ summary: String, _ body: @escaping @Sendable (Database) throws -> Void
  ) {
    steps.append(.run(summary, DatabaseStep(body: body)))
  }
}

/// A migration step that uses the connection.
struct DatabaseStep: EngineStep {
  let database = "SQLite"
  let body: @Sendable (Database) throws -> Void
}
