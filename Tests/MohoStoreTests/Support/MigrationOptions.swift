import MohoRows

/// The options of a migration that all engines have.
struct MigrationOptions {
  var policy = MigrationPolicy.inferred
  var renamings: [Renaming] = []
  var migrations: [Migration] = []
  var version = 0
  var formerMigrations: [String] = []
  var isReadOnly = false
  var history = HistoryPolicy.unchanged
  var rulePolicy = RulePolicy.unchecked
  var onProgress: (@Sendable (MigrationProgress) throws -> Void)?

  /// Options to refuse each difference.
  static let refusing = MigrationOptions(policy: .none)

  static func discarding(_ parts: SchemaPart...) -> MigrationOptions {
    MigrationOptions(policy: .inferred(discarding: parts))
  }

  static func migrating(_ migrations: Migration...) -> MigrationOptions {
    MigrationOptions(migrations: migrations)
  }
}
