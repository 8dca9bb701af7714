import MohoRows

extension StoreError {
  /// Adds the missing rights to an error with the code ``Code/accessDenied``.
  ///
  /// - Parameter connection: A connection of the user. It must not be in an
  ///   aborted transaction.
  mutating func explainAccess(_ connection: PostgresConnection) {
    guard code == .accessDenied, let error = underlying as? PostgresError else { return }
    let user = quotedName(connection.parameters.user)
    subject = subject ?? "user \(connection.parameters.user)"
    if let object = DeniedObject(error.message, prefix: "must be owner of ") {
      let owned = object.kind == "relation" ? "TABLE" : object.kind.uppercased()
      suggestion =
        "open the store as the owner of its tables, or execute"
        + " `ALTER \(owned) \(connection.qualified(object.name)) OWNER TO \(user)`"
      return
    }
    guard let object = DeniedObject(error.message, prefix: "permission denied for ") else {
      return
    }
    guard let missing = try? object.missingRights(connection), !missing.isEmpty else {
      suggestion = "grant the user the right with `GRANT … ON \(object.kind) … TO \(user)`"
      return
    }
    let rights = missing.joined(separator: ", ")
    reason += "; the user lacks the \(missing.count == 1 ? "right" : "rights") \(rights)"
    suggestion = "execute `GRANT \(rights) ON \(object.sql(connection)) TO \(user)`"
  }
}

/// The object of an error such as `permission denied for table Episode` or `must be
/// owner of table Episode`.
private struct DeniedObject {
  let kind: String
  let name: String

  init?(_ message: String, prefix: String) {
    guard message.hasPrefix(prefix) else { return nil }
    let words = message.dropFirst(prefix.count).split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    (kind, name) = (String(words[0]), String(words[1]))
  }

  func sql(_ connection: PostgresConnection) -> String {
    switch kind {
    case "table", "sequence", "view":
      (kind == "sequence" ? "SEQUENCE " : "") + connection.qualified(name)
    default: "\(kind.uppercased()) \(quotedName(name))"
    }
  }

  /// The rights that a store needs and the user does not have.
  func missingRights(_ connection: PostgresConnection) throws -> [String] {
    let table = connection.qualified(name)
    let (function, object, rights): (String, String, [String])
    switch kind {
    case "table", "view":
      (function, object) = ("has_table_privilege", table)
      rights = ["SELECT", "INSERT", "UPDATE", "DELETE"]
    case "sequence":
      (function, object, rights) = ("has_sequence_privilege", table, ["USAGE", "SELECT", "UPDATE"])
    case "schema":
      (function, object, rights) = ("has_schema_privilege", name, ["USAGE", "CREATE"])
    case "database":
      (function, object, rights) = ("has_database_privilege", name, ["CONNECT", "TEMPORARY"])
    case "function": return ["EXECUTE"]
    default: return []
    }
    var arguments = PostgresArguments()
    try arguments.append(object)
    try arguments.append(rights)
    let sql = "SELECT r FROM unnest($2) r WHERE NOT \(function)($1, r)"
    return try connection.query(sql, arguments).rows.map { $0.string(0) }
  }
}
