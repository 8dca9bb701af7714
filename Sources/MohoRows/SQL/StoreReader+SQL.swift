public import MohoMapping

extension StoreReader {
  /// Returns the models of the rows that a SQL query returns, in its order,
  /// with their related models.
  ///
  /// ```swift
  /// let episodes = try reader.fetch(
  ///   Episode.self, sql: #"SELECT * FROM "Episode" WHERE length(title) > $1"#, arguments: [40])
  /// ```
  ///
  /// The query must return a column for each stored key, with the name of the
  /// key, in any order. Other columns are ignored. If several columns have the
  /// same name, the first one is used. A model with relations also needs the
  /// identity column of its table, which `*` includes. An integer is converted to
  /// a number, a date or a decimal if its key has that type; so are the `numeric`
  /// values of PostgreSQL.
  ///
  /// Use ``fetchPartials(_:sql:arguments:)`` for queries that return only some
  /// of the keys. ``StoreWriter/execute(sql:arguments:)`` describes parameters and
  /// arguments.
  ///
  /// - Parameters:
  ///   - model: The type of the models.
  ///   - sql: One statement that returns rows and changes nothing. Pass values
  ///     as arguments, never as a part of the text.
  ///   - arguments: The values of the parameters.
  /// - Throws: A ``StoreError`` if the statement fails, would change the database,
  ///   or controls transactions, connections or files, if the number of arguments
  ///   does not match, if a column is missing or has a type that no key has, or if an
  ///   identity is not that of a stored row. A `MappingError` if a row cannot be read as
  ///   a model, or if the column of a to-one relation does not refer to a row.
  public func fetch<Model: MappedModel>(
    _ model: Model.Type, sql: String, arguments: [any FieldValue] = []
  ) throws -> [Model] {
    try values(of: model, sql, arguments, needsAllKeys: true) { try $0.models(of: $1) }
  }

  /// Returns partial models of the rows that a SQL query returns, in its order.
  ///
  /// ```swift
  /// let titles = try reader.fetchPartials(
  ///   Episode.self, sql: #"SELECT id, upper(title) AS title FROM "Episode""#)
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
    try values(of: model, sql, arguments, needsAllKeys: false) { try $0.partials(of: $1) }
  }

  private func values<Model: MappedModel, Value>(
    of model: Model.Type, _ sql: String, _ arguments: [any FieldValue], needsAllKeys: Bool,
    _ read: (GraphReader, [StoredRow]) throws -> [Value]
  ) throws -> [Value] {
    let graph = try GraphReader(model, session.linkedRows, schema)
    var values: [Value] = []
    try session.forEachBatch(
      of: AppSQL(sql, arguments), as: graph.root, needsAllKeys: needsAllKeys
    ) { values += try read(graph, $0) }
    return values
  }
}

extension ModelStore {
  /// Returns the models of the rows that a SQL query returns, in its order,
  /// with their related models.
  ///
  /// - Throws: The errors of ``StoreReader/fetch(_:sql:arguments:)``.
  public func fetch<Model: MappedModel>(
    _ model: Model.Type, sql: String, arguments: [any FieldValue] = []
  ) throws -> [Model] {
    try read { try $0.fetch(model, sql: sql, arguments: arguments) }
  }

  /// Returns partial models of the rows that a SQL query returns, in its order.
  ///
  /// - Throws: The errors of ``StoreReader/fetchPartials(_:sql:arguments:)``.
  public func fetchPartials<Model: MappedModel>(
    _ model: Model.Type, sql: String, arguments: [any FieldValue] = []
  ) throws -> [Partial<Model>] {
    try read { try $0.fetchPartials(model, sql: sql, arguments: arguments) }
  }
}
