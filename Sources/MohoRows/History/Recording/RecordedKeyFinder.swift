package import MohoMapping

/// The part of a history that finds the unique keys of rows.
package protocol RecordedKeySource {
  /// Returns the first recorded deletion of each row after a change, or the last one up to
  /// the change.
  func deletions(
    of rows: [RecordedVersion], _ entity: CompiledEntity, after isAfter: Bool
  ) throws -> [RecordedDeletion?]

  /// Returns the values of the columns that identify rows, for those rows that exist. Links
  /// are identities of rows.
  func identifyingValues(
    of rows: [Int64], _ entity: CompiledEntity
  ) throws -> [Int64: [FieldContent]]
}

/// A row after a recorded change.
package struct RecordedVersion {
  package let row: Int64
  package let sequence: Int64
}

/// A recorded deletion, with the values of the columns that identified the row.
package struct RecordedDeletion {
  let sequence: Int64
  let key: [FieldContent]

  package init(sequence: Int64, key: [FieldContent]) {
    self.sequence = sequence
    self.key = key
  }
}

/// Finds the unique keys that rows had after a recorded change.
///
/// The history contains the unique keys of deleted rows. A row that has not been
/// deleted after a change still has the unique key that it had then, because an
/// update of a unique key is recorded as a deletion and an insertion.
package struct RecordedKeyFinder {
  private let source: any RecordedKeySource
  private let schema: CompiledSchema

  package init(_ source: any RecordedKeySource, _ schema: CompiledSchema) {
    self.source = source
    self.schema = schema
  }

  /// Returns the unique keys of changed rows of an entity. A key is nil if it is not known,
  /// because `REPLACE` has deleted the row.
  func keys(of changes: [RecordedRow], _ entity: CompiledEntity) throws -> [FieldContent?] {
    guard entity.hasOwnKey else { return changes.map { .int64($0.row) } }
    let present = changes.filter { $0.kind != .deleted }
    var found = try deletions(
      of: present.map { RecordedVersion(row: $0.row, sequence: $0.sequence) }, entity
    ).makeIterator()
    return try keys(
      recorded: changes.map { change in
        change.kind == .deleted
          ? RecordedDeletion(sequence: change.sequence, key: change.key) : found.next() ?? nil
      }, of: entity)
  }

  /// Returns the deletions with the unique keys that rows had after changes. A row that
  /// exists has the key that a later deletion would record.
  private func deletions(
    of rows: [RecordedVersion], _ entity: CompiledEntity
  ) throws -> [RecordedDeletion?] {
    var found = try source.deletions(of: rows, entity, after: true)
    func missing() -> [Int] { found.indices.filter { found[$0] == nil } }
    let values = try source.identifyingValues(of: missing().map { rows[$0].row }, entity)
    for index in missing() {
      if let key = values[rows[index].row] {
        found[index] = RecordedDeletion(sequence: .max, key: key)
      }
    }
    // A row that links to the row may have been deleted after it.
    let rest = missing()
    if rest.isEmpty { return found }
    let earlier = try source.deletions(of: rest.map { rows[$0] }, entity, after: false)
    for (index, deletion) in zip(rest, earlier) { found[index] = deletion }
    return found
  }

  /// Returns the unique keys of recorded values, which contain those of linked rows.
  private func keys(
    recorded: [RecordedDeletion?], of entity: CompiledEntity
  ) throws -> [FieldContent?] {
    var parts = recorded.map { deletion -> [FieldContent]? in
      guard let deletion else { return nil }
      // Other declarations may have recorded another number of values.
      return deletion.key.count == entity.identifying.count ? deletion.key : []
    }
    for (position, column) in entity.identifying.enumerated() {
      guard case .slot(let slot) = column else { continue }
      var (indices, rows): ([Int], [RecordedVersion]) = ([], [])
      for (index, deletion) in recorded.enumerated() {
        guard let deletion, let values = parts[index], !values.isEmpty else { continue }
        guard case .int64(let row) = values[position] else {
          parts[index]?[position] = .null
          continue
        }
        indices.append(index)
        rows.append(RecordedVersion(row: row, sequence: deletion.sequence))
      }
      if rows.isEmpty { continue }
      let linked = try keys(
        of: rows, schema.entities[entity.linkColumns[slot].destination])
      for (index, key) in zip(indices, linked) { parts[index]?[position] = key ?? .null }
    }
    return parts.map { values in
      values.map { $0.isEmpty ? .null : FieldContent(identity: $0) }
    }
  }

  private func keys(
    of rows: [RecordedVersion], _ entity: CompiledEntity
  ) throws -> [FieldContent?] {
    guard entity.hasOwnKey else { return rows.map { .int64($0.row) } }
    return try keys(recorded: deletions(of: rows, entity), of: entity)
  }
}

extension [RecordedRow] {
  /// Returns the changes of the rows that the schema declares, one for each row and in the
  /// order of their first changes.
  package func changes(
    in schema: CompiledSchema, _ finder: RecordedKeyFinder, time: Int64
  ) throws -> [HistoryChange] {
    // The database may have entities that the schema does not declare.
    let rows = netRows.filter { $0.kind != nil && schema.entity($0.entity) != nil }
    var found = [FieldContent?](repeating: nil, count: rows.count)
    for (name, indices) in Dictionary(grouping: rows.indices, by: { rows[$0].entity }) {
      guard let entity = schema.entity(name) else { continue }
      let keys = try finder.keys(of: indices.map { rows[$0] }, entity)
      for (index, key) in zip(indices, keys) { found[index] = key }
    }
    var changes = HistoryChanges()
    for (row, key) in zip(rows, found) {
      guard let key, let kind = row.kind else { continue }
      changes.append(
        HistoryChange(
          row: RowIdentity(entity: row.entity, stored: row.row), key: key, kind: kind,
          changedKeys: kind == .updated ? row.keys : nil,
          date: HistoryChange.date(milliseconds: time)))
    }
    return changes.rows
  }
}
