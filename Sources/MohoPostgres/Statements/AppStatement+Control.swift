extension AppStatement {
  /// The keywords of a statement that controls transactions, connections or files, or nil
  /// for other statements.
  ///
  /// The server itself refuses statements that cannot run in a transaction, such as `VACUUM`,
  /// and `COMMIT` in procedures and `DO` blocks.
  var controlName: String? {
    guard let first = firstWords.first else { return nil }
    let others = firstWords.dropFirst()
    switch first {
    case "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE",
      "RESET", "DISCARD", "LISTEN", "UNLISTEN", "COPY", "LOAD",
      "EXECUTE", "DEALLOCATE", "DECLARE", "FETCH", "MOVE", "CLOSE":
      return first
    case "START": return "START TRANSACTION"
    case "END": return "COMMIT"
    case "ABORT": return "ROLLBACK"
    case "PREPARE": return others.first == "TRANSACTION" ? "PREPARE TRANSACTION" : first
    case "SET":
      switch others.first {
      case "CONSTRAINTS": return nil
      case "TRANSACTION": return "SET TRANSACTION"
      // `SET LOCAL` also begins other forms of two statements.
      case "LOCAL" where others.last == "TRANSACTION": return "SET TRANSACTION"
      case "LOCAL" where others.last != "SESSION": return nil
      default: return first
      }
    default: return nil
    }
  }
}
