import MohoMapping
import MohoRows

/// Reads the rows of a context that are in the result of a request. Limit and
/// offset are ignored.
///
/// Not `Sendable`, like the context.
struct ContextRowReader<Model: MappedModel> {
  private let context: EditingContext
  /// The request without limit and offset.
  private let request: RowRequest
  private let entity: CompiledEntity
  private let evaluator: RequestEvaluator
  /// Whether the request reads related rows.
  private let followsRelationships: Bool
  /// The names of the entities whose models are contained in other models.
  private let containedEntities: Set<String>

  /// - Parameter summaries: The values to compute from the rows of each section.
  /// - Throws: A ``StoreError`` that lists all issues of the request.
  init(
    _ request: ModelRequest<Model>, summaries: RequestAggregates?, in context: EditingContext
  ) throws {
    let schema = context.store.schema
    self.context = context
    self.request = request.rows.limit(nil).offset(0)
    let resolved = try ResolvedRequest(
      request.rows, schema, selecting: summaries?.operands ?? [],
      tokenizer: context.store.engine.textTokenizer)
    entity = try context.schema.requireEntity(resolved.entity.name)
    evaluator = try RequestEvaluator(resolved)
    followsRelationships = !resolved.tables.isEmpty
    containedEntities = try ResultSources(of: resolved, Model.self, schema).containedEntities
  }

  /// The context and its ancestors.
  private var chain: [EditingContext] {
    Array(sequence(first: context) { $0.parent })
  }

  /// Whether no call is changing the context or an ancestor. While a child is
  /// being saved, its parent already has the new content.
  var isSettled: Bool { chain.allSatisfy { $0.depth == 0 } }

  /// Whether unsaved rows may affect other rows of the result. In this case,
  /// all rows must be read from the context.
  var mayAffectOtherRows: Bool {
    if !followsRelationships && containedEntities.isEmpty { return false }
    return chain.contains { context in
      context.graph.affected.contains { row in
        followsRelationships
          || containedEntities.contains(context.graph[row].identity.entity)
      }
    }
  }

  /// Returns the unsaved rows of the result's entity. The value is `nil` for
  /// rows that are not in the result.
  func pendingRows() throws -> [RowIdentity: ContextRow?] {
    try readConsistently { try readPendingRows() }
  }

  private func readPendingRows() throws -> [RowIdentity: ContextRow?] {
    var rows: [RowIdentity: ContextRow?] = [:]
    for (level, context) in chain.enumerated() {
      let pending = context.graph.affected.filter { context.graph[$0].entity == entity.index }
      for row in pending where rows[context.graph[row].identity] == nil {
        let isIncluded =
          try context.graph[row].isAlive
          && context.reading { evaluator.matches(ContextRowSubject(context, row)) }
        rows.updateValue(
          isIncluded ? try self.row(row, of: context, level: level) : nil,
          forKey: context.graph[row].identity)
      }
    }
    return rows
  }

  /// Returns all rows of the result from the context, in order.
  func allRows() throws -> [ContextRow] {
    let origin = origin
    return try readConsistently {
      try origin.handles(of: request.unpaged).map { try row($0, of: origin, level: 0) }
    }
  }

  /// Returns the first rows of each group, or nil if the request does not limit groups.
  func firstRows() throws -> Set<RowIdentity>? {
    if request.groupLimit?.count == nil { return nil }
    let origin = origin
    guard origin.graph.hasAffected else {
      let rowIDs = try context.store.fetchIdentities(request)
      return Set(rowIDs.map { RowIdentity(entity: entity.name, stored: $0) })
    }
    return try readConsistently {
      Set(try origin.handles(of: request).map { origin.graph[$0].identity })
    }
  }

  /// The context to read rows from. A context without changes has the same rows
  /// as its parent, in the same order. It may have loaded outdated links of the
  /// parent.
  private var origin: EditingContext { chain.first { $0.graph.hasAffected } ?? context }

  /// Runs a closure that reads rows. If rows are refreshed in the meantime,
  /// runs it again, because other rows may contain the refreshed ones.
  private func readConsistently<Value>(_ read: () throws -> Value) throws -> Value {
    for _ in 0..<3 {
      let count = refreshedCount
      let value = try read()
      if refreshedCount == count { return value }
    }
    return try read()
  }

  private var refreshedCount: Int { chain.reduce(0) { $0 + $1.refreshedCount } }

  /// Returns a reader for the store's rows in the current state of the
  /// transaction.
  func storedRows() -> StoredRows {
    StoredRows(context: EditingContext(context.store), reader: self)
  }

  /// The rows of the store, read with a new context that has no changes.
  struct StoredRows {
    fileprivate let context: EditingContext
    fileprivate let reader: ContextRowReader
  }

  /// Returns whether a row precedes another one.
  func precedes(_ one: ContextRow, _ other: ContextRow) -> Bool {
    let order = evaluator.order(one.sortValues, other.sortValues)
    return order == 0 ? one.rank < other.rank : order < 0
  }

  /// Returns the identity of a row after it has been saved.
  func savedIdentity(of identity: RowIdentity) -> RowIdentity? {
    for context in chain {
      if let row = context.saved[identity] { return context.graph[row].identity }
    }
    return nil
  }

  private func row(_ row: Int, of context: EditingContext, level: Int) throws -> ContextRow {
    let identity = context.graph[row].identity
    var contents = RowContents(in: context)
    let values: Result<[FieldContent?], any Error>
    do {
      values = .success(try contents.contents(of: row, for: Model.mapping.keys))
    } catch let error as StoreError where [.cycle, .rowNotFound].contains(error.code) {
      values = .failure(error)
    }
    let (sortValues, section, summaryValues) = try context.reading {
      let subject = ContextRowSubject(context, row)
      let values = evaluator.sortValues(of: subject)
      return (
        values, evaluator.section(of: subject, values), evaluator.selectedValues(of: subject)
      )
    }
    return ContextRow(
      identity: identity, contents: values, sortValues: sortValues, section: section,
      summaryValues: summaryValues, rank: ContextRow.Rank(level: level, key: identity.key))
  }

  private func sortValues(of row: Int, in context: EditingContext) throws -> [FieldContent] {
    try context.reading { evaluator.sortValues(of: ContextRowSubject(context, row)) }
  }
}

extension ContextRowReader.StoredRows {
  /// Returns rows by ID. Rows that do not exist are omitted.
  ///
  /// - Complexity: One statement for each 500 rows, and for each relation of
  ///   models.
  func rows(_ identities: Set<Int64>) throws -> [Int64: ContextRow] {
    let handles = identities.sorted().map { handle(of: $0) }
    try context.loadValues(handles)
    var rows: [Int64: ContextRow] = [:]
    for handle in handles where !context.graph[handle].isFault {
      guard let identity = context.graph[handle].identity.stored else { continue }
      rows[identity] = try reader.row(handle, of: context, level: 0)
    }
    return rows
  }

  /// Returns whether a stored row precedes an unsaved one. False if the stored
  /// row does not exist.
  ///
  /// - Complexity: One statement for a row that has not been read before.
  func precedes(_ rowID: Int64, _ row: ContextRow) throws -> Bool {
    let handle = handle(of: rowID)
    try context.loadValues([handle])
    guard !context.graph[handle].isFault else { return false }
    let values = try reader.sortValues(of: handle, in: context)
    // Unsaved rows follow stored rows with equal values.
    return reader.evaluator.order(values, row.sortValues) <= 0
  }

  private func handle(of rowID: Int64) -> Int {
    context.graph.handle(
      for: RowIdentity(entity: reader.entity.name, stored: rowID), entity: reader.entity.index)
  }
}
