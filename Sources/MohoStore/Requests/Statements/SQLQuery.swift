import MohoMapping

/// An SQL statement and the values of its parameters.
struct SQLQuery: Sendable, Equatable {
  let sql: String
  let arguments: [FieldContent]

  init(_ sql: String, _ arguments: [FieldContent] = []) {
    self.sql = sql
    self.arguments = arguments
  }

  /// A statement that a closure writes about the rows of an entity.
  init(_ entity: Entity, _ body: (inout SQLWriter) throws -> String) rethrows {
    var writer = SQLWriter(entity)
    sql = try body(&writer)
    arguments = writer.arguments
  }
}

/// An SQL statement whose condition ends with a list of integers, such as the
/// identities of rows.
struct SQLListQuery: Sendable {
  /// The SQL before `IN`.
  let head: String
  /// The SQL after the list.
  var tail = ""
  /// The values of the parameters of both.
  var arguments: [FieldContent] = []

  init(_ head: String, tail: String = "", arguments: [FieldContent] = []) {
    self.head = head
    self.tail = tail
    self.arguments = arguments
  }

  /// Selects the identity and some columns of rows of a table, by identity.
  init(columns: [String], of table: String, identity: String) {
    let names = ([identity] + columns).map(quoted).joined(separator: ", ")
    self.init("SELECT \(names) FROM \(quoted(table)) WHERE \(quoted(identity))")
  }
}
