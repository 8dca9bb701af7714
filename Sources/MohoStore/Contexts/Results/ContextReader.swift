import GRDB
package import MohoMapping

/// Looks at the rows of a context as a result of a request shows them: the
/// limit and the offset have no part in it.
///
/// Not `Sendable`, as the context.
package struct ContextReader<Model: MappedModel> {
  private let context: EditingContext
  private let request: RowRequest
  private let entity: EntityLayout
  private let evaluator: RequestEvaluator
  /// Whether rows are in the result because of others.
  private let followsRelationships: Bool
  /// The names of the entities whose rows are in models of others.
  private let contained: Set<String>

  /// - Throws: ``StoreError`` that lists all that is wrong with the request.
  package init(_ request: ModelRequest<Model>, in context: EditingContext) throws {
    let schema = context.store.schema
    self.context = context
    self.request = request.rows.limit(nil).offset(0)
    let resolved = try ResolvedRequest(request.rows, schema)
    entity = try context.layout.requireEntity(resolved.entity.name)
    evaluator = try RequestEvaluator(self.request, in: schema)
    followsRelationships = !resolved.tables.isEmpty
    contained = try ResultSources(of: resolved, Model.self, schema).contained
  }

  /// The context and those that it is a child of.
  private var chain: [EditingContext] {
    Array(sequence(first: context) { $0.parent })
  }

  /// Whether no call is changing the context or one that it is a child of: while
  /// a child is saved, both have what is new.
  package var isSettled: Bool { chain.allSatisfy { $0.depth == 0 } }

  /// Whether rows that are not saved may change others, so that these are shown
  /// as the context has them, too.
  package var mayChangeOthers: Bool {
    if !followsRelationships && contained.isEmpty { return false }
    return chain.contains { context in
      context.graph.pending.contains { row in
        followsRelationships || contained.contains(context.graph[row].identity.entity)
      }
    }
  }

  /// The rows of the result's entity that are not saved; nil those that are not
  /// in the result.
  package func pendingRows() throws -> [RowIdentity: ContextRow?] {
    try settled { try readPendingRows() }
  }

  private func readPendingRows() throws -> [RowIdentity: ContextRow?] {
    var rows: [RowIdentity: ContextRow?] = [:]
    for (level, context) in chain.enumerated() {
      let pending = context.graph.pending.filter { context.graph[$0].entity == entity.index }
      for row in pending where rows[context.graph[row].identity] == nil {
        let isShown =
          try context.graph[row].isAlive
          && context.reading { evaluator.matches(RowSubject(context, row)) }
        rows.updateValue(
          isShown ? try self.row(row, of: context, level: level) : nil,
          forKey: context.graph[row].identity)
      }
    }
    return rows
  }

  /// All rows of the result as the context has them, in order.
  package func allRows() throws -> [ContextRow] {
    // A context that has changed nothing has the order of the one that it is a
    // child of, whose links it may have read earlier.
    let origin = chain.first { $0.graph.hasPending } ?? context
    return try settled {
      try origin.handles(of: request).map { try row($0, of: origin, level: 0) }
    }
  }

  /// Reads again where rows have been read anew meanwhile that may be part of
  /// others.
  private func settled<Value>(_ read: () throws -> Value) throws -> Value {
    for _ in 0..<3 {
      let count = refreshedCount
      let value = try read()
      if refreshedCount == count { return value }
    }
    return try read()
  }

  private var refreshedCount: Int { chain.reduce(0) { $0 + $1.refreshedCount } }

  /// What the store has, in the state that is read while this runs.
  package func storedRows() -> StoredRows {
    StoredRows(context: EditingContext(context.store), reader: self)
  }

  /// The rows of a context on the store that nobody has changed.
  package struct StoredRows {
    fileprivate let context: EditingContext
    fileprivate let reader: ContextReader
  }

  /// Whether a row comes before another.
  package func precedes(_ one: ContextRow, _ other: ContextRow) -> Bool {
    let order = evaluator.order(one.sortValues, other.sortValues)
    return order == 0 ? one.rank < other.rank : order < 0
  }

  /// The value by which a row is in a section: that of its first ordering, in
  /// the form in which a column has it.
  package func section(of row: ContextRow) throws -> FieldContent {
    switch try row.sortValues[0].databaseValue.storage {
    case .null: .null
    case .int64(let value): .int64(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .blob(let value): .data(value)
    }
  }

  /// The identity that a row has got by being saved.
  package func savedIdentity(of identity: RowIdentity) -> RowIdentity? {
    for context in chain {
      if let row = context.saved[identity] { return context.graph[row].identity }
    }
    return nil
  }

  private func row(_ row: Int, of context: EditingContext, level: Int) throws -> ContextRow {
    let identity = context.graph[row].identity
    var contents = RowContents(in: context)
    let found: Result<[FieldContent?], any Error>
    do {
      found = .success(try contents.contents(of: row, for: Model.mapping.keys))
    } catch let error as StoreError where [.nestedInItself, .rowIsGone].contains(error.code) {
      found = .failure(error)
    }
    return ContextRow(
      identity: identity, contents: found, sortValues: try sortValues(of: row, in: context),
      rank: ContextRow.Rank(level: level, key: identity.key))
  }

  private func sortValues(of row: Int, in context: EditingContext) throws -> [FieldContent] {
    try context.reading { evaluator.sortValues(of: RowSubject(context, row)) }
  }
}

extension ContextReader.StoredRows {
  /// Those of some rows that are there.
  ///
  /// - Complexity: One statement for each 500, and for each relation of models.
  package func rows(_ identities: Set<Int64>) throws -> [Int64: ContextRow] {
    let handles = identities.sorted().map { handle(of: $0) }
    try context.loadValues(handles)
    var rows: [Int64: ContextRow] = [:]
    for handle in handles where !context.graph[handle].isFault {
      guard let identity = context.graph[handle].identity.stored else { continue }
      rows[identity] = try reader.row(handle, of: context, level: 0)
    }
    return rows
  }

  /// Whether a row comes before one that is not saved. False where it is gone.
  ///
  /// - Complexity: One statement for a row that was not asked about before.
  package func precedes(_ rowID: Int64, _ row: ContextRow) throws -> Bool {
    let handle = handle(of: rowID)
    try context.loadValues([handle])
    guard !context.graph[handle].isFault else { return false }
    let values = try reader.sortValues(of: handle, in: context)
    // What is not saved stands behind what is.
    return reader.evaluator.order(values, row.sortValues) <= 0
  }

  private func handle(of rowID: Int64) -> Int {
    context.graph.handle(
      for: RowIdentity(entity: reader.entity.name, stored: rowID), entity: reader.entity.index)
  }
}

extension ResultSources {
  /// The names of the entities whose rows are in models of others.
  fileprivate var contained: Set<String> {
    Set(
      sources.filter { source in
        source.owners.contains { if case .content = $0.effect { true } else { false } }
      }
      .map(\.entity.name))
  }
}
