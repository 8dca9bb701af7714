import GRDB
public import MohoMapping
public import MohoRows

extension StoreReader {
  /// Returns the models of the rows that a SQL query returns, in its order,
  /// with their related models.
  ///
  /// ```swift
  /// let episodes = try reader.fetch(
  ///   Episode.self, sql: "SELECT * FROM Episode WHERE length(title) > ?", arguments: [40])
  /// ```
  ///
  /// The query must return a column for each stored key, with the name of the
  /// key, in any order. Other columns are ignored. If several columns have the
  /// same name, the first one is used. A model with relations also needs the
  /// identity column of its table, which `*` includes. An integer is converted to
  /// a number, a date or a decimal if its key has that type.
  ///
  /// Use ``fetchPartials(_:sql:arguments:)`` for queries that return only some
  /// of the keys.
  ///
  /// - Parameters:
  ///   - model: The type of the models.
  ///   - sql: One statement that returns rows and changes nothing. Pass values
  ///     as arguments, never as a part of the text.
  ///   - arguments: The values of the parameters, in order. They are bound in
  ///     the form that columns store.
  /// - Throws: A `StoreError` if the statement fails, would change the database,
  ///   or controls transactions, connections or files, if the number of arguments
  ///   does not match, if a column is missing, if an identity is not that of a
  ///   stored row, or if the store is not an SQLite database. A `MappingError` if a
  ///   row cannot be read as a model, or if the column of a to-one relation does
  ///   not refer to a row.
  public func fetch<Model: MappedModel>(
    _ model: Model.Type, sql: String, arguments: [any FieldValue] = []
  ) throws -> [Model] {
    try sqlite.rows(of: model, sql, arguments, needsAllKeys: true) { try $0.models(of: $1) }
  }

  /// Returns partial models of the rows that a SQL query returns, in its order.
  ///
  /// ```swift
  /// let titles = try reader.fetchPartials(
  ///   Episode.self, sql: "SELECT id, upper(title) AS title FROM Episode")
  /// ```
  ///
  /// A partial model contains the keys that have a column with their name. It
  /// contains to-many relations if the query returns the identity column of the
  /// table.
  ///
  /// - Throws: The errors of ``fetch(_:sql:arguments:)``, except those for
  ///   missing columns.
  public func fetchPartials<Model: MappedModel>(
    _ model: Model.Type, sql: String, arguments: [any FieldValue] = []
  ) throws -> [Partial<Model>] {
    try sqlite.rows(of: model, sql, arguments, needsAllKeys: false) { try $0.partials(of: $1) }
  }
}

extension ModelStore {
  /// Returns the models of the rows that a SQL query returns, in its order,
  /// with their related models.
  ///
  /// - Throws: The errors of `StoreReader.fetch(_:sql:arguments:)`.
  public func fetch<Model: MappedModel>(
    _ model: Model.Type, sql: String, arguments: [any FieldValue] = []
  ) throws -> [Model] {
    try read { try $0.fetch(model, sql: sql, arguments: arguments) }
  }

  /// Returns partial models of the rows that a SQL query returns, in its order.
  ///
  /// - Throws: The errors of `StoreReader.fetchPartials(_:sql:arguments:)`.
  public func fetchPartials<Model: MappedModel>(
    _ model: Model.Type, sql: String, arguments: [any FieldValue] = []
  ) throws -> [Partial<Model>] {
    try read { try $0.fetchPartials(model, sql: sql, arguments: arguments) }
  }
}

extension SQLiteSession {
  /// Reads the rows of a query in batches.
  fileprivate func rows<Model: MappedModel, Value>(
    of model: Model.Type, _ sql: String, _ arguments: [any FieldValue], needsAllKeys: Bool,
    _ read: (GraphReader, [StoredRow]) throws -> [Value]
  ) throws -> [Value] {
    try perform { database in
      let node = try schema.compiled.binding(of: model)
      let graph = try GraphReader(model, DatabaseRows(database), schema)
      let statement = try PreparedStatement(database, appSQL: sql)
      var arguments = try SQLArguments(arguments)
      try arguments.bind(to: statement)
      try arguments.checkEnd()
      guard statement.isReadOnly else {
        throw StoreError(
          .invalidRequest, reason: "the SQL changes the database",
          suggestion: "use `StoreWriter.execute(sql:arguments:)`")
      }
      var rows = try StatementRows(statement)
      let columns = NamedColumns(of: rows.statement, for: node)
      if needsAllKeys { try columns.check(for: node) }
      var values: [Value] = []
      var batch: [StoredRow] = []
      while try rows.next() {
        batch.append(StoredRow(node, rows.statement, columns))
        if batch.count == GraphReader.batchSize {
          values += try read(graph, batch)
          batch.removeAll(keepingCapacity: true)
        }
      }
      return values + (try read(graph, batch))
    }
  }
}
