import MohoMapping

extension EditingContext {
  /// Fetches the rows of a request, in its order, including unsaved changes.
  ///
  /// Rows without unsaved changes get the current values of the store. The
  /// fetched rows form a batch: reading a fault or a relationship of one row
  /// reads it for all rows of the batch.
  ///
  /// - Throws: A ``StoreError`` that lists all issues of the request, or an
  ///   error if the store cannot be read.
  /// - Complexity: One statement. If rows of the entity have unsaved changes,
  ///   they are also evaluated in memory. If the request follows relationships
  ///   and any row has unsaved changes, all rows of the entity are read and
  ///   evaluated in memory.
  public func fetch(_ request: some StoreRequest) throws -> [ManagedRow] {
    let handles = try handles(of: request.rows)
    endReading()
    return handles.map { row($0) }
  }

  /// Fetches all rows of an entity, sorted by identity.
  ///
  /// The identity of a row is its integer unique key. A new row has the position
  /// that it has after it is saved. If the store assigns the identity, or the
  /// unique key is not set yet, new rows come last, in insertion order.
  ///
  /// - Throws: A ``StoreError`` if the store does not have the entity or cannot
  ///   be read.
  public func fetch(_ entity: String) throws -> [ManagedRow] {
    try fetch(RowRequest(entity))
  }

  package func handles(of request: RowRequest) throws -> [Int] {
    let entity = try schema.requireEntity(request.entity)
    guard graph.hasAffected else { return register(try source.fetch(request), of: entity) }
    let resolved = try ResolvedRequest(
      request, store.schema, tokenizer: store.engine.textTokenizer)
    let affected = graph.affected
    let changed = affected.filter { graph[$0].entity == entity.index }
    if changed.isEmpty && resolved.tables.isEmpty {
      return register(try source.fetch(request), of: entity)
    }
    let evaluator = try RequestEvaluator(resolved)
    guard resolved.tables.isEmpty else {
      // Unsaved changes of related rows can affect the condition.
      let all = register(try source.fetch(RowRequest(request.entity)), of: entity)
      let new = changed.filter { !graph[$0].isStored }
      let rows = (all + new).filter { graph[$0].isAlive }
      return try evaluate { evaluator.result(of: rows.map { ContextRowSubject(self, $0) }) }
    }
    let isChanged = Set(changed)
    let found = register(try source.fetch(request.widened(by: changed.count)), of: entity)
      .filter { !isChanged.contains($0) }
    return try evaluate {
      let matching = changed.filter { graph[$0].isAlive }.map { ContextRowSubject(self, $0) }
        .filter { evaluator.matches($0) }
      return evaluator.page(
        of: evaluator.sorted(found.map { ContextRowSubject(self, $0) } + matching))
    }
  }

  /// Returns rows of one entity in the order of ``fetch(_:)-(String)``.
  func sortedByIdentity(_ rows: [Int]) -> [Int] {
    rows.map { (row: $0, key: graph.identityKey(of: $0)) }
      .sorted { ($0.key, graph[$0.row].identity.key) < ($1.key, graph[$1.row].identity.key) }
      .map(\.row)
  }

  private func evaluate(_ body: () -> [ContextRowSubject]) throws -> [Int] {
    try reading(body).map(\.row)
  }

  /// Runs a closure that reads values of rows in memory. The closure cannot
  /// throw. This method throws the first error from reading the values.
  package func reading<Result>(_ body: () -> Result) throws -> Result {
    readError = nil
    let result = body()
    if let error = readError { throw error }
    return result
  }

  /// Returns the rows whose current values of some keys are among the given
  /// values.
  func handles(
    of entity: CompiledEntity, with columns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [UniqueKey: [Int]] {
    let wanted = Set(keys)
    var found: [UniqueKey: [Int]] = [:]
    let fetched = try source.rows(of: entity, with: columns, in: keys)
    let clean = register(fetched, of: entity).filter { graph.isClean($0) }
    let changed = graph.pending.filter { graph[$0].entity == entity.index && graph[$0].isAlive }
    for row in clean + changed {
      if let key = uniqueKey(of: row, columns), wanted.contains(key) {
        found[key, default: []].append(row)
      }
    }
    return found
  }

  /// Returns the unique key of a row, or nil if one of its parts is null.
  func uniqueKey(of row: Int, _ columns: [UniqueKeyColumn]) -> UniqueKey? {
    graph[row].isFault ? nil : UniqueKey(fetched(row), columns)
  }
}

extension RowRequest {
  /// The request with the rows that may follow if some of its rows leave the result.
  fileprivate func widened(by count: Int) -> RowRequest {
    // Any row may be among the first ones of its group.
    if groupLimit?.count != nil { return unpaged }
    var wider = offset(0)
    wider.limit = limit.map { limit in
      let (sum, isOver) = limit.addingReportingOverflow(offset)
      let (all, isFarOver) = sum.addingReportingOverflow(count)
      return isOver || isFarOver ? .max : all
    }
    return wider
  }
}
