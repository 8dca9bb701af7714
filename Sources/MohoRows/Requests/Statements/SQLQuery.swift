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
  let text = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" }))
  return "'\(doubling("'", in: text))'"
}

/// Returns an identifier in double quotes, as in standard SQL.
package func quotedName(_ identifier: String) -> String {
  "\"\(doubling("\"", in: identifier))\""
}

/// Returns a text with each quotation mark twice. The bytes decide: a combining mark can follow
/// the quotation mark.
private func doubling(_ quote: Unicode.Scalar, in text: String) -> String {
  let byte = UInt8(ascii: quote)
  guard text.utf8.contains(byte) else { return text }
  let bytes = text.utf8.flatMap { $0 == byte ? [byte, byte] : [$0] }
  return String(decoding: bytes, as: UTF8.self)
}
