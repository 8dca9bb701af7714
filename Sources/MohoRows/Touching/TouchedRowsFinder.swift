/// Finds the changes that a commit made to a result. Follows links from the
/// written rows to the rows of the result that depend on them.
///
/// The finder follows the links in the state after the commit, and the previous
/// links of written rows. If the link of a row has changed, the row itself has
/// been written.
struct TouchedRowsFinder {
  private let reader: StoreReader
  private let commit: CommittedChanges
  private let result: ResultDefinition
  private(set) var touched = TouchedRows()
  private var reached: [Int: Set<Int64>] = [:]
  private var pending: [(source: Int, rows: Set<Int64>)] = []

  init(_ reader: StoreReader, _ commit: CommittedChanges, _ result: ResultDefinition) {
    self.reader = reader
    self.commit = commit
    self.result = result
  }

  mutating func find() throws {
    try findOwnRows()
    for source in result.sources.sources.indices.dropFirst() { try findRows(of: source) }
    while let (source, rows) = pending.popLast() { try follow(rows, of: source) }
  }

  private mutating func findOwnRows() throws {
    let entity = result.entity
    guard let written = commit.tables[entity.name] else { return }
    if !written.recordsEveryRow { touched.hasAllMoveCandidates = false }
    touched.newRows = written.newRows
    let rows = try reader.ownRows(of: result, by: commit)
    touched.writtenRows =
      rows.values.contains(where: \.isUnchanged) ? rows.filter { !$1.isUnchanged } : rows
    touched.moveCandidates.reserveCapacity(touched.writtenRows.count)
    for (rowID, row) in touched.writtenRows where result.mayMove(row) {
      touched.moveCandidates.insert(rowID)
      if result.changesRelevance(row) { touched.hasAllMoveCandidates = false }
    }
    if !result.ownLinks.isEmpty { findOwnLinks() }
  }

  /// Finds the links in the result's own table that the commit removed or changed.
  private mutating func findOwnLinks() {
    for (rowID, row) in touched.writtenRows where row.before != .absent {
      for link in result.ownLinks where row.mayDiffer(in: link.column) {
        switch link.effect {
        case .position: touched.relatedMoveCandidates.insert(rowID)
        case .content(let key): touched.relinkedKeys[rowID, default: []].insert(key)
        }
      }
    }
  }

  /// Finds the written rows of another source, and the written links to it.
  private mutating func findRows(of index: Int) throws {
    let source = result.sources.sources[index]
    if let written = commit.tables[source.entity.name] {
      let changed = try changedColumns(of: source.entity)
      for dependent in source.dependents {
        if !written.isComplete { touchAllRows(of: dependent) }
        let rows = changed.filter {
          $1.map { source.affects(dependent, changing: $0) } ?? true
        }
        let rowIDs = written.newRows.rows.union(rows.keys)
        guard !rowIDs.isEmpty else { continue }
        try follow(rowIDs, to: dependent, from: source.entity)
        guard case .inverseColumn(let column, _) = dependent.link else { continue }
        let moved = rows.filter { $1?.contains(column) ?? true }
        reach(written.formerLinks(column, of: moved.keys), of: dependent)
      }
    }
    for dependent in source.dependents { try findLinks(to: dependent) }
  }

  /// Finds the written links between a source and its dependent, if they are in
  /// a link table.
  private mutating func findLinks(to dependent: ResultSources.Dependent) throws {
    guard case .table(let table, let end) = dependent.link,
      let written = commit.tables[table.name]
    else { return }
    if !written.isComplete { touchAllRows(of: dependent) }
    let column = LinkTable.column(end)
    let compared = table.comparedColumns(for: end, isOrdered: dependent.isOrdered)
    let links = try reader.links(of: table, by: commit).insertedAndDeleted(comparing: compared)
    reach(
      try reader.session.integers(column, in: table.name, where: nil, isIn: links.inserted),
      of: dependent)
    reach(written.formerLinks(column, of: links.deleted), of: dependent)
  }

  /// Follows the links of reached rows to all dependents.
  private mutating func follow(_ rows: Set<Int64>, of index: Int) throws {
    let source = result.sources.sources[index]
    for dependent in source.dependents { try follow(rows, to: dependent, from: source.entity) }
  }

  private mutating func follow(
    _ rows: Set<Int64>, to dependent: ResultSources.Dependent, from entity: Entity
  ) throws {
    let dependentEntity = result.sources.sources[dependent.source].entity
    let table: String
    let (column, linkedColumn): (String, String)
    switch dependent.link {
    case .column:
      table = dependentEntity.name
      (column, linkedColumn) = (dependentEntity.identityColumn, dependent.relationship)
    case .inverseColumn(let inverse, _):
      table = entity.name
      (column, linkedColumn) = (inverse, entity.identityColumn)
    case .table(let links, let end):
      table = links.name
      (column, linkedColumn) = (LinkTable.column(end), LinkTable.column(end.other))
    }
    reach(
      try reader.session.integers(column, in: table, where: linkedColumn, isIn: rows), of: dependent
    )
  }

  /// Records that rows of a dependent are affected.
  ///
  /// - Parameter rows: The affected rows, or `nil` if they cannot be
  ///   determined.
  private mutating func reach(_ rows: Set<Int64>?, of dependent: ResultSources.Dependent) {
    guard let rows else { return touchAllRows(of: dependent) }
    guard dependent.source == 0 else {
      let new = rows.subtracting(reached[dependent.source] ?? [])
      guard !new.isEmpty else { return }
      reached[dependent.source, default: []].formUnion(new)
      pending.append((dependent.source, new))
      return
    }
    switch dependent.effect {
    case .position:
      touched.moveCandidates.formUnion(rows)
      touched.relatedMoveCandidates.formUnion(rows)
    case .content(let key):
      for rowID in rows { touched.relatedKeys[rowID, default: []].insert(key) }
    }
  }

  /// Records that any row of a dependent may be affected.
  private mutating func touchAllRows(of dependent: ResultSources.Dependent) {
    var dependents = [dependent]
    var seen: Set<Int> = []
    while let dependent = dependents.popLast() {
      if dependent.source != 0 {
        guard seen.insert(dependent.source).inserted else { continue }
        dependents += result.sources.sources[dependent.source].dependents
        continue
      }
      switch dependent.effect {
      case .position: touched.hasAllMoveCandidates = false
      case .content(let key): touched.keysOfUnknownRows.insert(key)
      }
    }
  }

  /// Returns the rows of an entity whose values have changed, with the changed
  /// columns. The value is `nil` for rows that were inserted or deleted, or
  /// whose changes cannot be determined.
  private func changedColumns(of entity: Entity) throws -> [Int64: Set<String>?] {
    let names = reader.schema.tableColumns(of: entity)
    let rows = try reader.rows(of: entity, by: commit)
    var changed: [Int64: Set<String>?] = [:]
    for (rowID, row) in rows where !row.isUnchanged {
      changed.updateValue(row.columns(among: names), forKey: rowID)
    }
    return changed
  }
}

extension StoreReader {
  /// Finds the rows and keys of a result that a complete commit may have
  /// changed.
  ///
  /// If the commit has written no table of the result, this method runs no
  /// statement.
  ///
  /// - Complexity: O(*k* log *n*) for *k* written rows and rows that are linked
  ///   to them.
  package func touchedRows(
    of result: ResultDefinition, by commit: CommittedChanges
  ) throws -> TouchedRows {
    guard commit.tables.keys.contains(where: result.sources.tables.contains) else {
      return TouchedRows()
    }
    var finder = TouchedRowsFinder(self, commit, result)
    try finder.find()
    return finder.touched
  }
}
