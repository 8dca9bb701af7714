import MohoMapping
import MohoRows

/// Saves models of one type without relations, many of them with each statement.
final class ModelWriter<Model: MappedModel> {
  /// The maximum number of rows of a statement, and the number of bytes that
  /// ends a batch.
  private static var maximumCount: Int { 5_000 }
  private static var maximumSize: Int { 2_000_000 }

  private let connection: PostgresConnection
  private let schema: CompiledSchema
  private let node: ModelNode
  private let mapping = Model.mapping
  private let writers: KeyWriters
  private let hasRules: Bool
  private let written: [Int]
  private let encoder: RowArrayEncoder
  /// Receives models that are only checked.
  private let checker: RowArrayEncoder
  private let copier: FieldCopier?
  private let upsert: UpsertStatement
  /// The name of the key that is the identity of the row.
  private let identity: String?
  private let mode: SavingMode
  /// Whether each statement saves one model.
  private let isSingle: Bool
  private let failures: WriteFailures
  private var saved: SavedKeys?
  private let mirrored: MirrorScope?
  /// The models of the current batch, if the model that fails is looked for.
  private var batch: [(model: Model, index: Int?)] = []

  /// The rows that the next batch probably has.
  private var expectation = Expectation.mixed

  private(set) var report = SaveReport()

  /// - Parameters:
  ///   - failures: The errors of the call. If nil, the first error is thrown.
  ///   - isSingle: Whether each statement saves one model.
  ///   - detectsRepetitions: Whether a second model with the same unique key
  ///     throws a ``RepeatedRow``.
  ///   - mirrored: Receives the identities of the rows.
  init(
    _ connection: PostgresConnection, _ schema: Schema, _ mode: SavingMode = .fast,
    _ failures: WriteFailures? = nil, isSingle: Bool = false, detectsRepetitions: Bool = false,
    mirrored: MirrorScope? = nil
  ) throws {
    self.connection = connection
    self.schema = schema.compiled
    self.mode = mode
    self.failures = failures ?? WriteFailures(mode)
    self.isSingle = isSingle
    self.mirrored = mirrored
    let node = try schema.compiled.node(of: Model.self)
    self.node = node
    try mapping.checkDeclaration()
    writers = mapping.writers
    hasRules = mapping.hasRules
    written = mapping.fieldKeys.stored
    saved = detectsRepetitions ? SavedKeys() : nil
    let entity = node.entity
    var columns: [UpsertSQL.Column] = []
    let positions = zip(node.keys, Model.mapping.keys).enumerated().map { index, key -> Int in
      guard case .column(let attribute?) = key.0 else { return -1 }
      columns.append(
        UpsertSQL.Column(
          name: quotedName(key.1.name), type: PostgresType(entity.attributes[attribute].type),
          isKey: node.unique.contains(index), merge: node.columnMerges[index]))
      return columns.count - 1
    }
    let sql = UpsertSQL(
      table: quotedName(entity.name), identity: node.identity, columns: columns)
    upsert = UpsertStatement(sql, returningRows: mirrored != nil)
    identity = mapping.keys.first { $0.isStored && $0.name == entity.identityColumn }?.name
    let keyColumns = node.unique.map { positions[$0] }
    func makeEncoder() -> RowArrayEncoder {
      RowArrayEncoder(
        sql.types, columns: positions, keyColumns: keyColumns, entity: entity.name,
        keys: Model.mapping.keys)
    }
    encoder = makeEncoder()
    checker = makeEncoder()
    copier = mapping.copier(to: encoder)
  }

  /// Whether rows can be written without creating models.
  var copiesFields: Bool { copier != nil }

  /// Adds the row of an object to the batch.
  func add(_ fields: any FieldDecoder) throws {
    try copier?.copy(from: fields)
  }

  /// Ends the row of an object, and saves the batch if it is large.
  func endFields() throws { try endRow() }

  /// Adds the row of a model to the batch, and saves the batch if it is large. The
  /// error of an invalid model is added to those of the call.
  ///
  /// - Parameter index: The position in the list of models, for errors.
  func add(_ model: UnsafePointer<Model>, at index: Int?) throws {
    do {
      try encode(model, to: encoder)
    } catch {
      encoder.discardRow()
      return try add(error, of: model, at: index)
    }
    if mode == .careful { batch.append((model.pointee, index)) }
    try endRow()
  }

  /// Checks a model without saving it.
  func check(_ model: UnsafePointer<Model>, at index: Int) throws {
    checker.removeAll()
    do {
      try encode(model, to: checker)
    } catch {
      try add(error, of: model, at: index)
    }
  }

  /// Adds the error of a model that cannot be written.
  private func add(
    _ error: any Error, of model: UnsafePointer<Model>, at index: Int?
  ) throws {
    var error = index.flatMap { (error as? MappingError)?.inElement($0) } ?? error
    if var failure = error as? StoreError {
      let subject = subject(of: model.pointee, at: index)
      failure.subject = failure.subject.map { "\($0) of \(subject)" } ?? subject
      error = failure
    }
    try failures.add(error, at: path(index), ofStatement: false)
  }

  private func path(_ index: Int?) -> FieldPath? { index.map { FieldPath([.index($0)]) } }

  /// Counts a model whose row another model has.
  func countRepetition() { report.count(.unchanged) }

  /// Returns the unique key of a model as its row stores it, or nil if the key is
  /// not equal to any other key.
  func key(of model: Model) throws -> UniqueKey? {
    if node.unique.isEmpty { return nil }
    return UniqueKey(
      try schema.stored(key: mapping.identity(of: model, by: node.unique)))
  }

  private func endRow() throws {
    try saved?.insert(keyOf: encoder)
    encoder.endRow()
    if isSingle || encoder.rows.count >= Self.maximumCount
      || encoder.rows.size >= Self.maximumSize
    {
      try save()
    }
  }

  private func encode(
    _ model: UnsafePointer<Model>, to encoder: RowArrayEncoder
  ) throws {
    if hasRules {
      try mapping.withValidated(model, writtenTo: encoder) {
        try writers.write($0, written, to: encoder)
      }
    } else {
      try writers.write(model, written, to: encoder)
    }
    // The server would generate an identity.
    if let identity, encoder.integerKey == nil {
      throw MappingError(
        .unexpectedNull, model: node.name, key: identity, found: "null", expected: "integer")
    }
  }

  /// Saves the rows of the batch.
  func save() throws {
    guard encoder.rows.count > 0 else { return }
    defer {
      encoder.removeAll()
      batch.removeAll(keepingCapacity: true)
    }
    if mode == .fast { return try write(encoder.rows) }
    let rows = encoder.rows
    try connection.writingParts(of: batch.indices) { indexes in
      try write(indexes.count == rows.count ? rows : rows.rows(at: indexes))
    } failing: { error, position in
      let (model, index) = batch[position]
      var error = error
      error.subject = error.subject ?? subject(of: model, at: index)
      try failures.add(error, at: path(index))
    }
  }

  private func write(_ rows: RowArrays) throws {
    var (inserted, updated) = (0, 0)
    if let mirrored {
      let ids = try UpsertResult(connection, upsert.query(rows), count: rows.count)
      inserted = ids.insertedCount
      updated = ids.updatedCount
      mirrored.retain(ids.identities)
    } else if try expectation == .new && copy(rows) {
      inserted = rows.count
    } else if expectation == .equal, let query = upsert.differences(rows) {
      let numbers = try connection.query(query).rows.map { $0.int(0) - 1 }
      if !numbers.isEmpty { (inserted, updated) = try save(rows.rows(at: numbers)) }
    } else {
      (inserted, updated) = try save(rows)
    }
    expectation = Expectation(inserted: inserted, updated: updated, of: rows)
    report =
      report
      + SaveReport(
        inserted: inserted, updated: updated, unchanged: rows.count - inserted - updated)
  }

  /// Inserts rows with `COPY`.
  ///
  /// - Returns: Whether it has succeeded. Otherwise nothing has changed.
  private func copy(_ rows: RowArrays) throws -> Bool {
    guard let sql = upsert.copy else { return false }
    do {
      try connection.copy(sql, columnCount: rows.types.count) { try rows.write(to: &$0) }
      return true
    } catch let error as StoreError where error.isCopyRefusal {
      return false
    }
  }

  /// Inserts or updates rows.
  private func save(_ rows: RowArrays) throws -> (inserted: Int, updated: Int) {
    var (inserted, updated) = (0, 0)
    let query = upsert.query(rows)
    while let row = try connection.query(query).first {
      let (found, changed) = (row.int64(0), row.int64(1))
      inserted += row.int(3)
      updated += row.int(2)
      let isDone =
        !upsert.hasKey || row.int64(2) == changed && found + row.int64(3) == Int64(rows.count)
      if isDone { break }
      // Another transaction has inserted or deleted rows in the meantime.
    }
    return (inserted, updated)
  }

  private func subject(of model: Model, at index: Int?) -> String {
    guard !node.unique.isEmpty, let key = try? mapping.identity(of: model, by: node.unique) else {
      return "`\(node.name)`" + (index.map { " at /\($0)" } ?? "")
    }
    return "`\(node.name)` \(key == .null ? "without a key" : "\(key)")"
  }
}

/// The rows that a batch probably has, as the previous one did. This decides how
/// they are written, and not which rows are written.
private enum Expectation {
  /// Rows that are not stored. They are inserted with `COPY`.
  case new
  /// Rows that are stored, most of which are equal. Only the others are written.
  case equal
  /// Any rows.
  case mixed

  init(inserted: Int, updated: Int, of rows: RowArrays) {
    if rows.isPrepared {
      self = .mixed
    } else if inserted == rows.count {
      self = .new
    } else {
      self = (inserted + updated) * 4 <= rows.count ? .equal : .mixed
    }
  }
}

extension StoreError {
  /// Whether the server does not copy some rows to a table. It may not copy any
  /// rows to a table with policies.
  fileprivate var isCopyRefusal: Bool {
    isConstraintFailure || (underlying as? PostgresError)?.sqlState == "0A000"
  }
}
