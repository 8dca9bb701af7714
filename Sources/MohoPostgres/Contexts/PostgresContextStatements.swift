import MohoMapping
import MohoRows

/// Executes the statements of a plan. One statement writes all rows of a stage that have the
/// same table and the same columns.
final class PostgresContextStatements: ContextStatements {
  private let connection: PostgresConnection
  private let session: PostgresSession
  private let sql: ContextWriteSQL
  /// The statements that take arrays of parameters.
  private let arraySQL: ContextWriteSQL

  init(_ connection: PostgresConnection, _ session: PostgresSession) {
    self.connection = connection
    self.session = session
    let schema = session.schema.compiled
    sql = ContextWriteSQL(schema, .postgres)
    arraySQL = ContextWriteSQL(schema, .postgresArrays)
  }

  /// The maximum number of rows of a statement.
  let batchSize = 5_000

  /// The maximum number of statements of a pipeline.
  private static let pipelineSize = 2_000

  func suspending(_ rules: [CompiledRelationship], _ body: () throws -> Void) throws {
    try session.suspending(rules, body)
  }

  func execute(_ write: ContextWrite) throws -> Bool {
    try connection.query(query(write)).affectedRows > 0
  }

  func executeTogether(
    _ stages: [[ContextWrite]], requiringRows requiresRows: Bool
  ) throws -> [Bool]? {
    do {
      var isWritten: [Bool] = []
      var groups: [Group] = []
      for stage in stages {
        groups += self.groups(of: stage, first: isWritten.count)
        isWritten += stage.map { !$0.isUpdate }
      }
      let queries = try groups.map { try query($0, returningRows: !requiresRows) }
      try connection.withSavepoint {
        for start in stride(from: 0, to: queries.count, by: Self.pipelineSize) {
          let range = start..<min(start + Self.pipelineSize, queries.count)
          let results = try connection.queries(Array(queries[range]))
          for (group, result) in zip(groups[range], results) where group.isUpdate {
            if result.affectedRows == group.writes.count {
              for index in group.indexes { isWritten[index] = true }
            } else if requiresRows {
              throw ChangedRow()
            } else if group.writes.count > 1 {
              for row in result.rows { isWritten[group.indexes[row.int(0) - 1]] = true }
            }
          }
        }
      }
      return isWritten
    } catch is ChangedRow, is MappingError {
      // The row of the value that cannot be stored is part of the error, and found in smaller
      // groups.
      return nil
    } catch let error as StoreError where !error.endsTransaction {
      // So is the row of the statement that fails.
      return nil
    }
  }

  private struct ChangedRow: Error {}

  /// Writes of the same kind.
  private struct Group {
    var writes: [ContextWrite] = []
    /// The positions of the writes among all writes.
    var indexes: [Int] = []

    var isUpdate: Bool { writes.first?.isUpdate ?? false }
  }

  /// Returns the writes of a stage by kind, in the order of their first writes.
  ///
  /// - Parameter first: The position of the first write.
  private func groups(of stage: [ContextWrite], first: Int) -> [Group] {
    var groups: [Group] = []
    var positions: [ContextWrite.Kind: Int] = [:]
    for (index, write) in stage.enumerated() {
      let kind = write.kind(in: session.schema.compiled)
      var position = positions[kind] ?? groups.count
      if position == groups.count || groups[position].writes.count == batchSize {
        position = groups.count
        groups.append(Group())
        positions[kind] = position
      }
      groups[position].writes.append(write)
      groups[position].indexes.append(first + index)
    }
    return groups
  }

  /// Returns the statement of a group.
  ///
  /// - Parameter returnsRows: Whether an update of several rows returns the numbers of those
  ///   that it has written.
  private func query(_ group: Group, returningRows returnsRows: Bool) throws -> PostgresQuery {
    if group.writes.count == 1 { return try query(group.writes[0]) }
    let statement = arraySQL.statement(of: group.writes[0])
    var rows = RowArrays(statement.types.map { PostgresType($0) })
    for write in group.writes {
      for (index, content) in arraySQL.arguments(of: write).enumerated() {
        try rows.columns[index].append(content)
      }
      rows.endRow()
    }
    let returning = returnsRows && group.isUpdate ? " RETURNING i.n" : ""
    return PostgresQuery(
      statement.sql + returning, rows.arguments, isPrepared: rows.isPrepared)
  }

  private func query(_ write: ContextWrite) throws -> PostgresQuery {
    let statement = sql.statement(of: write)
    var arguments = PostgresArguments()
    for (content, type) in zip(sql.arguments(of: write), statement.types) {
      try arguments.append(content, as: PostgresType(type))
    }
    return PostgresQuery(statement.sql, arguments)
  }
}

extension StoreError {
  /// Whether no statement of the transaction can succeed after this error.
  fileprivate var endsTransaction: Bool {
    [.connectionLost, .commitUnknown, .conflict].contains(code)
  }
}

extension ContextWriteDialect {
  fileprivate static let postgres = ContextWriteDialect(
    parameter: { "$\($0)" }, equality: isSame,
    insertOrIgnore: ("INSERT", " ON CONFLICT DO NOTHING"))

  fileprivate static let postgresArrays = ContextWriteDialect(
    parameter: { "i.c\($0 - 1)" }, equality: isSame,
    insertOrIgnore: ("INSERT", " ON CONFLICT DO NOTHING"),
    source: { types in RowArrays.source(types.map { PostgresType($0) }, as: "i") })

  private static let isSame: @Sendable (String, AttributeType, String) -> String = {
    column, _, parameter in "\(column) IS NOT DISTINCT FROM \(parameter)"
  }
}
