import CommandTesting

/// Calls a closure with the path of a store in a temporary folder, which is
/// deleted afterwards.
func withStorePath<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = try TemporaryFolder()
  return try withExtendedLifetime(folder) { try body(folder.path("store.sqlite")) }
}
