import MohoRows

extension StoreError {
  /// Creates an error from an error of PostgreSQL.
  ///
  /// - Parameter schema: The schema to look up the entity and the keys of a
  ///   failed constraint in.
  init(_ error: PostgresError, schema: Schema? = nil) {
    let (code, suggestion) = Self.meaning(of: error)
    self.init(
      code, reason: error.message, suggestion: suggestion ?? error.hint, underlying: error)
  }

  private static func meaning(of error: PostgresError) -> (Code, suggestion: String?) {
    if error.isConnectionLost {
      return (.connectionLost, "try again; nothing of the transaction was committed")
    }
    switch error.sqlState ?? "" {
    case "23505": return (.notUnique, nil)
    case "23502": return (.missingValue, nil)
    case "23514": return (.invalidValue, nil)
    case "23503": return (.danglingReference, nil)
    case "23001": return (.deniedDeletion, "delete or unlink those rows first")
    case "42501": return (.accessDenied, nil)
    case "25006": return (.readOnly, "connect to the primary server")
    case "53100": return (.full, "free up disk space on the server")
    case "55P03": return (.busy, "try again, or increase the lock timeout")
    case "57014": return (.busy, "try again, or increase the statement timeout")
    case "40001", "40P01": return (.conflict, "try again")
    case "58030": return (.inputOutput, "check the disk of the server")
    case "XX001", "XX002": return (.damaged, "restore the database from a backup")
    case let state where state.hasPrefix("22"): return (.invalidValue, nil)
    case let state where state.hasPrefix("23"): return (.constraint, nil)
    case let state where state.hasPrefix("54"): return (.limitExceeded, "split the request")
    default: return (.database, nil)
    }
  }
}
