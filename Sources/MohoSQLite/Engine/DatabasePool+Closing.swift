import GRDB

extension DatabasePool {
  /// Closes the connections without a checkpoint, so that the file does not change even
  /// if the log has content.
  ///
  /// SQLite performs a checkpoint when the last connection that can write is closed, unless
  /// the file has other connections.
  func closeWithoutCheckpoint() throws {
    var configuration = Configuration()
    configuration.readonly = true
    let other = try DatabaseQueue(path: path, configuration: configuration)
    _ = try other.read { try Row.fetchOne($0, sql: "SELECT 1 FROM sqlite_schema") }
    try close()
    try other.close()
  }
}
