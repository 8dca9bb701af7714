package import MohoMapping

/// An SQL statement and the arguments of its parameters.
package struct SQLQuery: Sendable, Equatable {
  package let sql: String
  package let arguments: [FieldContent]

  package init(_ sql: String, _ arguments: [FieldContent] = []) {
    self.sql = sql
    self.arguments = arguments
  }

  /// Creates a query from the statement that a closure writes for the rows of
  /// an entity.
  package init(
    _ entity: Entity, _ dialect: any SQLDialect, _ body: (inout SQLWriter) throws -> String
  ) rethrows {
    var writer = SQLWriter(entity, dialect)
    sql = try body(&writer)
    arguments = writer.arguments
  }
}

/// An SQL statement whose condition ends with a list of integers, such as the
/// identities of rows.
package struct SQLListQuery: Sendable {
  /// The SQL before `IN`.
  package let head: String
  /// The SQL after the list.
  package var tail = ""
  /// The arguments of the parameters in both parts.
  package var arguments: [FieldContent] = []

  package init(_ head: String, tail: String = "", arguments: [FieldContent] = []) {
    self.head = head
    self.tail = tail
    self.arguments = arguments
  }

  /// Creates a query that selects the identity and some columns of rows, by
  /// identity.
  package init(columns: [String], of table: String, identity: String) {
    let names = ([identity] + columns).map(quotedName).joined(separator: ", ")
    self.init("SELECT \(names) FROM \(quotedName(table)) WHERE \(quotedName(identity))")
  }
}

/// Returns a text as an SQL literal. Null characters are removed, because they
/// would end the statement.
package func quotedText(_ text: String) -> String {
  "'" + text.replacing("\0", with: "").replacing("'", with: "''") + "'"
}

/// Returns an identifier in double quotes, as in standard SQL.
package func quotedName(_ identifier: String) -> String {
  identifier.utf8.contains(UInt8(ascii: "\""))
    ? "\"\(identifier.replacing("\"", with: "\"\""))\"" : "\"\(identifier)\""
}
