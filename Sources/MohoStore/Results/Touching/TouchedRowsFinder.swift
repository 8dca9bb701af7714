import GRDB

/// Finds what a commit has changed of a result: follows the links from rows
/// that were written to the rows of the result that are made of them.
///
/// The links are those of the state after the commit, and those that written
/// rows had before. A row that was linked in another way has been written
/// itself.
struct TouchedRowsFinder {
  private let reader: StoreReader
  private let commit: CommittedChanges
  private let result: ResultStatements
  private(set) var touched = TouchedRows()
  private var reached: [Int: Set<Int64>] = [:]
  private var pending: [(source: Int, rows: Set<Int64>)] = []

  init(_ reader: StoreReader, _ commit: CommittedChanges, _ result: ResultStatements) {
    self.reader = reader
    self.commit = commit
    self.result = result
  }

  mutating func find() throws {
    try noteOwnRows()
    for source in result.sources.sources.indices.dropFirst() { try noteRows(of: source) }
    while let (source, rows) = pending.popLast() { try follow(rows, of: source) }
  }

  private mutating func noteOwnRows() throws {
    let entity = result.entity
    guard let written = commit.tables[entity.name] else { return }
    if !written.areAllKnown { touched.arePlacesKnown = false }
    touched.newRows = written.newRows
    let rows = try reader.ownRows(of: result, by: commit)
    touched.written = rows.values.contains(where: \.isNone) ? rows.filter { !$1.isNone } : rows
    touched.placed.reserveCapacity(touched.written.count)
    for (rowID, row) in touched.written where result.mayMove(row) { touched.placed.insert(rowID) }
    if !result.ownLinks.isEmpty { noteOwnLinks() }
  }

  /// Notes the links in the result's own table that a commit has removed or
  /// changed.
  private mutating func noteOwnLinks() {
    for (rowID, row) in touched.written where row.before != .absent {
      for link in result.ownLinks where row.mayDiffer(in: link.column) {
        switch link.effect {
        case .place: touched.led.insert(rowID)
        case .content(let key): touched.relinked[rowID, default: []].insert(key)
        }
      }
    }
  }

  /// Notes the rows of another source, and of the links to it, that a commit
  /// has written.
  private mutating func noteRows(of index: Int) throws {
    let source = result.sources.sources[index]
    if let written = commit.tables[source.entity.name] {
      let changed = try changedColumns(of: source.entity)
      for owner in source.owners {
        if !written.isComplete { giveUp(owner) }
        let rows = changed.filter { $1.map { source.affects(owner, changing: $0) } ?? true }
        let rowIDs = written.newRows.rows.union(rows.keys)
        guard !rowIDs.isEmpty else { continue }
        try follow(rowIDs, by: owner, from: source.entity)
        guard case .inverseColumn(let column, _) = owner.link else { continue }
        let moved = rows.filter { $1?.contains(column) ?? true }
        reach(written.formerLinks(column, of: moved.keys), of: owner)
      }
    }
    for owner in source.owners { try noteLinks(of: owner) }
  }

  /// Notes the links to a source that a commit has written, where they have a
  /// table of their own.
  private mutating func noteLinks(of owner: ResultSources.Owner) throws {
    guard case .table(let table, let end) = owner.link, let written = commit.tables[table.name]
    else { return }
    if !written.isComplete { giveUp(owner) }
    let column = LinkTable.column(end)
    let compared = table.comparedColumns(seenFrom: end, isOrdered: owner.isOrdered)
    let links = try reader.links(of: table, by: commit).comeAndGone(comparing: compared)
    reach(try reader.integers(column, in: table.name, where: "rowid", isIn: links.come), of: owner)
    reach(written.formerLinks(column, of: links.gone), of: owner)
  }

  /// Goes on to the owners of rows that have been reached.
  private mutating func follow(_ rows: Set<Int64>, of index: Int) throws {
    let source = result.sources.sources[index]
    for owner in source.owners { try follow(rows, by: owner, from: source.entity) }
  }

  private mutating func follow(
    _ rows: Set<Int64>, by owner: ResultSources.Owner, from entity: Entity
  ) throws {
    let ownerEntity = result.sources.sources[owner.source].entity
    switch owner.link {
    case .column:
      reach(
        try reader.integers(
          ownerEntity.identityColumn, in: ownerEntity.name, where: owner.relationship, isIn: rows),
        of: owner)
    case .inverseColumn(let column, _):
      reach(
        try reader.integers(column, in: entity.name, where: entity.identityColumn, isIn: rows),
        of: owner)
    case .table(let table, let end):
      reach(
        try reader.integers(
          LinkTable.column(end), in: table.name, where: LinkTable.column(end.other), isIn: rows),
        of: owner)
    }
  }

  /// Notes that rows have been reached; nil where it is not known which.
  private mutating func reach(_ rows: Set<Int64>?, of owner: ResultSources.Owner) {
    guard let rows else { return giveUp(owner) }
    guard owner.source == 0 else {
      let new = rows.subtracting(reached[owner.source] ?? [])
      guard !new.isEmpty else { return }
      reached[owner.source, default: []].formUnion(new)
      pending.append((owner.source, new))
      return
    }
    switch owner.effect {
    case .place:
      touched.placed.formUnion(rows)
      touched.led.formUnion(rows)
    case .content(let key): for rowID in rows { touched.related[rowID, default: []].insert(key) }
    }
  }

  /// Takes every row of the result for reached.
  private mutating func giveUp(_ owner: ResultSources.Owner) {
    var owners = [owner]
    var seen: Set<Int> = []
    while let owner = owners.popLast() {
      if owner.source != 0 {
        guard seen.insert(owner.source).inserted else { continue }
        owners += result.sources.sources[owner.source].owners
        continue
      }
      switch owner.effect {
      case .place: touched.arePlacesKnown = false
      case .content(let key): touched.unknownKeys.insert(key)
      }
    }
  }

  /// The rows of an entity that hold something else than before, with the
  /// columns whose values differ; nil for those that came or went or are not
  /// known.
  private func changedColumns(of entity: Entity) throws -> [Int64: Set<String>?] {
    let names = reader.schema.recordedColumns(of: entity)
    let rows = try reader.rows(
      of: entity.name, by: commit, identity: entity.identityColumn, columns: names)
    var changed: [Int64: Set<String>?] = [:]
    for (rowID, row) in rows where !row.isNone {
      changed.updateValue(row.columns(among: names), forKey: rowID)
    }
    return changed
  }
}

extension StoreReader {
  /// What a complete commit may have changed of a result.
  ///
  /// Where the commit wrote no table that the result is made of, no statement
  /// is run.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows that were written, and the rows
  ///   that are linked to them.
  package func touchedRows(
    of result: ResultStatements, by commit: CommittedChanges
  ) throws -> TouchedRows {
    guard commit.tables.keys.contains(where: result.sources.tables.contains) else {
      return TouchedRows()
    }
    var finder = TouchedRowsFinder(self, commit, result)
    try finder.find()
    return finder.touched
  }
}
