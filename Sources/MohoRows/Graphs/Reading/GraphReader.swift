package import MohoMapping

/// Reads models with their related models, in batches. Each batch takes one
/// statement per relation and nesting level.
package final class GraphReader {
  /// The number of rows in a batch. While a batch is read, each of its rows is
  /// in memory twice, as column values and as a model.
  package static let batchSize = 500

  private let source: any LinkedRowSource
  private let schema: CompiledSchema
  package let root: ModelNode
  private let texts: StructuredTextReader

  package init(
    _ model: any MappedModel.Type, _ source: any LinkedRowSource, _ schema: Schema
  ) throws {
    self.source = source
    self.schema = schema.compiled
    root = try schema.compiled.node(of: model)
    texts = StructuredTextReader(root.table)
  }

  /// Returns the models of rows.
  package func models<Model: MappedModel>(of rows: [StoredRow]) throws -> [Model] {
    let mapping = Model.mapping
    return try read(rows) { try mapping.model(from: $0) }
  }

  /// Returns the keys that were read of rows.
  package func partials<Model: MappedModel>(of rows: [StoredRow]) throws -> [Partial<Model>] {
    let mapping = Model.mapping
    return try read(rows) { try mapping.partial(fromRow: $0) }
  }

  private func read<Value>(
    _ rows: [StoredRow], _ value: (GraphRowDecoder) throws -> Value
  ) throws -> [Value] {
    let queried = QueriedRows(among: rows)
    try queried.checkIdentities(source)
    var loaded = LoadedRows()
    // Rows that refer to each other would be released recursively, or never.
    defer { loaded.unlink(rows) }
    try loadLinks(of: rows, &loaded)
    try queried.checkColumns(schema)
    return try rows.map { row in
      let reading = GraphReading(texts)
      defer { withExtendedLifetime(reading) {} }
      do {
        let value = try texts.withFallback { try value(GraphRowDecoder(row, reading)) }
        if let cycle = reading.cycle { throw cycle }
        return value
      } catch {
        // Throw the cycle itself, because errors of keys wrap the errors of
        // decoders.
        throw reading.cycle ?? error
      }
    }
  }

  /// Reads the related rows of the given rows, level by level. The rows of the
  /// last level are too deep to be read as models.
  private func loadLinks(of rows: [StoredRow], _ loaded: inout LoadedRows) throws {
    var level = 0
    var pending = rows.filter { !$0.isFromTable || loaded.insert($0).isNew }
    // Repeated occurrences of a row in a batch share their related rows.
    let twins = rows.filter { $0.isFromTable && loaded[$0.node, $0.id] !== $0 }
    while !pending.isEmpty && level < NestingDepth.limit {
      level += 1
      var groups: [(node: ModelNode, rows: [StoredRow])] = []
      for row in pending {
        if let index = groups.firstIndex(where: { $0.node === row.node }) {
          groups[index].rows.append(row)
        } else {
          groups.append((row.node, [row]))
        }
      }
      pending = []
      for group in groups {
        // All rows of a statement lack the same keys.
        for link in group.node.links where !group.rows[0].lacks(link.index) {
          pending += try LinkLoad(link, schema, source).load(for: group.rows, &loaded)
        }
      }
    }
    for twin in twins { twin.related = loaded[twin.node, twin.id]?.related ?? [:] }
  }
}

/// The rows that have been read. Each row is read only once.
struct LoadedRows {
  private var rows: [ObjectIdentifier: [Int64: StoredRow]] = [:]

  subscript(node: ModelNode, id: Int64) -> StoredRow? { rows[ObjectIdentifier(node)]?[id] }

  /// Removes the links of all rows, and of rows that are not from tables.
  func unlink(_ others: [StoredRow]) {
    for rows in rows.values { for row in rows.values { row.related = [:] } }
    for row in others { row.related = [:] }
  }

  /// Adds a row, or returns the existing row with the same identity.
  mutating func insert(_ row: StoredRow) -> (row: StoredRow, isNew: Bool) {
    if let known = self[row.node, row.id] { return (known, false) }
    rows[ObjectIdentifier(row.node), default: [:]][row.id] = row
    return (row, true)
  }
}

/// Reads the rows of queries for a ``GraphReader``.
package protocol LinkedRowSource {
  /// The dialect of the queries.
  var dialect: any SQLDialect { get }

  /// Calls a closure with the rows of a query, in its order: the integer in the first
  /// column, and the values in the other columns.
  ///
  /// - Parameter valueCount: The number of the other columns.
  /// - Throws: The errors of the closure.
  func forEachRow(
    of query: SQLQuery, valueCount: Int, _ body: (Int64, [StoredValue]) throws -> Void
  ) throws
}
