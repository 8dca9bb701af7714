import PostgresTesting
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips tests of PostgreSQL with `MOHO_ENGINE=sqlite`.
  package static var requiresPostgres: Self {
    .enabled(if: !PostgresServer.isSkipped, "MOHO_ENGINE is sqlite")
  }
}
