/// The tests of each module.
enum TestTable {
  /// The modules that can have mutants, and their test targets: first those that find most.
  ///
  /// A mutant that these do not find is run against the suites of all other targets that
  /// execute its code.
  static let targets: [(module: String, tests: [String])] = [
    ("MohoChanges", ["MohoChangesTests"]),
    ("MohoMapping", ["MohoMappingTests", "MohoJSONTests"]),
    ("MohoJSON", ["MohoJSONTests"]),
    ("MohoRows", ["MohoStoreTests"]),
    ("MohoSQLite", ["MohoStoreTests"]),
    ("MohoPostgres", ["MohoPostgresTests", "MohoStoreTests"]),
    ("MohoResults", ["MohoResultsTests", "MohoResultsOracleTests"]),
  ]

  /// Tests of the sources themselves, which fail because of the switches of mutants.
  static let skippedTests = ["SeveralStoresTests/onlySQLiteOpensFiles"]

  static let modules = targets.map(\.module)

  /// The values of `MOHO_ENGINE` with which a suite runs. Suites for both engines run twice,
  /// so that mutants need not wait for both.
  static func engines(of target: String, source: String) -> [Engine] {
    if target == "MohoPostgresTests" { return [.postgres] }
    guard ["MohoStoreTests", "MohoResultsTests"].contains(target) else { return [.any] }
    let names = [".allEngines", "PostgresServer", ".engine(.postgres)", "requiresPostgres"]
    return names.contains { source.contains($0) } ? [.sqlite, .postgres] : [.sqlite]
  }

  /// A value of `MOHO_ENGINE`.
  enum Engine: String, Codable {
    case any
    case sqlite
    case postgres
  }
}
