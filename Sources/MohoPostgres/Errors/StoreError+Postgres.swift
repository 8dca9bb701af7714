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
    if let (entity, failure) = schema?.failure(of: error) {
      name(failure, of: entity)
    } else if let (entity, keys) = schema?.overlongKeys(of: error) {
      (self.entity, self.keys) = (entity, keys)
      let names = keys.map { "`\(entity).\($0)`" }.joined(separator: " or ")
      reason =
        "\(names.isEmpty ? "`\(entity)`" : names) has too many bytes for an index: PostgreSQL"
        + " stores about 2,700 after compression"
    } else if let link = schema?.danglingLink(of: error),
      let error = schema?.error(for: [link], underlying: error)
    {
      self = error
    }
  }

  private static func lossAdvice(_ error: PostgresError) -> String {
    let isCertain = "nothing of the transaction was committed"
    switch error.sqlState {
    case "25P03":
      return isCertain + "; make the closure faster, or increase"
        + " `idle_in_transaction_session_timeout` of the server"
    case "25P04":
      return isCertain + "; split the transaction, or increase `transaction_timeout` of the server"
    case "57P05":
      return isCertain + "; try again, or increase `idle_session_timeout` of the server"
    case "57P04": return "the database was deleted"
    default: return isCertain + "; try again"
    }
  }

  private static func meaning(of error: PostgresError) -> (Code, suggestion: String?) {
    if error.isConnectionLost { return (.connectionLost, lossAdvice(error)) }
    // A server in recovery refuses to begin a transaction that writes.
    let isReplica =
      error.message.contains("hot standby") || error.message.contains("during recovery")
    let isAboutNotifications = error.message.contains("NOTIFY queue")
    switch error.sqlState ?? "" {
    case "23505": return (.notUnique, nil)
    case "23502": return (.missingValue, nil)
    case "23514": return (.invalidValue, nil)
    case "23503": return (.danglingReference, nil)
    case "23001": return (.deniedDeletion, denialAdvice)
    case "25006",
      "0A000" where isReplica, "25001" where isReplica:
      return (
        .readOnly,
        "connect to the primary server, for example with"
          + " `target_session_attrs=read-write`"
      )
    case "40001", "40P01":
      return (.conflict, "try again")
    case "42501":
      return (.accessDenied, nil)
    case "42P01", "42703":
      return (.database, "open the store again, because its tables have changed")
    case "53100":
      return (.full, "free up disk space on the server")
    case "53200":
      return (.limitExceeded, "split the request, or give the server more memory")
    case "54000" where error.isOverlongIndexEntry:
      return (.limitExceeded, "shorten the value, or declare the key without an index")
    case "54000" where isAboutNotifications:
      return (.limitExceeded, "end the sessions that listen in old transactions")
    case "55P03":
      return (
        .busy,
        "try again, or increase the `lockTimeout` of the configuration or `lock_timeout` of the"
          + " server"
      )
    case "57014":
      return error.message.contains("timeout")
        ? (
          .busy,
          "split the request, or increase the `statementTimeout` of the configuration or"
            + " `statement_timeout` of the server"
        ) : (.database, "try again")
    case "58030", "58P01", "58P02":
      return (.inputOutput, "check the disk of the server")
    case "XX001", "XX002":
      return (.damaged, "restore the database from a backup")
    case let state where state.hasPrefix("22"): return (.invalidValue, nil)
    case let state where state.hasPrefix("23"): return (.constraint, nil)
    case let state where state.hasPrefix("53") || state.hasPrefix("54"):
      return (.limitExceeded, "split the request")
    default: return (.database, nil)
    }
  }
}

extension StoreError {
  /// Adds advice to an error of a connection pooler.
  mutating func explainPooler() {
    guard let state = (underlying as? PostgresError)?.sqlState,
      // A prepared statement does not exist, or exists already.
      ["26000", "42P05", "08P01"].contains(state)
    else { return }
    suggestion =
      "connect to the server without the connection pooler, or set its `pool_mode` to `session`"
  }
}
