package import MohoMapping

/// The kinds of recorded changes, as histories store them.
package enum RecordedChange: Int64 {
  case insert, update, delete

  package var kind: HistoryChange.Kind {
    switch self {
    case .insert: .inserted
    case .update: .updated
    case .delete: .deleted
    }
  }
}

/// A recorded change of a row, or the net change of several.
package struct RecordedRow {
  /// The number of the last change.
  package private(set) var sequence: Int64
  /// The time of the last change, in milliseconds.
  package private(set) var time: Int64
  package let entity: String
  package let row: Int64
  /// The kind of the change, or nil if there is no net change.
  package private(set) var kind: HistoryChange.Kind?
  package private(set) var keys: Set<String>
  /// The values of the columns that identified a deleted row. Links are identities of
  /// rows. Empty if they were not recorded.
  package private(set) var key: [FieldContent]

  package init(
    sequence: Int64, time: Int64, entity: String, row: Int64, kind: HistoryChange.Kind?,
    keys: Set<String> = [], key: [FieldContent] = []
  ) {
    self.sequence = sequence
    self.time = time
    self.entity = entity
    self.row = row
    self.kind = kind
    self.keys = keys
    self.key = key
  }

  /// Adds a later change of the row, which has not been deleted.
  mutating func append(_ later: RecordedRow) {
    sequence = later.sequence
    time = later.time
    keys.formUnion(later.keys)
    if later.kind == .deleted {
      kind = kind == .inserted ? nil : .deleted
      key = later.key
    } else if kind == .updated, later.kind == .inserted {
      kind = .inserted
    }
  }
}

extension [RecordedRow] {
  /// The changes of each row from its insertion to its deletion, as one change.
  ///
  /// An update of a row that the transaction has deleted is omitted: it records that the
  /// row has lost a linked row, which was removed later by the same statement.
  package var netRows: [RecordedRow] {
    var rows: [RecordedRow] = []
    var indices: [RowIdentity: Int] = [:]
    var deleted: Set<RowIdentity> = []
    for change in self {
      let row = RowIdentity(entity: change.entity, stored: change.row)
      if change.kind == .updated, deleted.contains(row) { continue }
      if let index = indices[row] {
        rows[index].append(change)
      } else {
        indices[row] = rows.count
        rows.append(change)
      }
      if change.kind == .deleted {
        indices[row] = nil
        deleted.insert(row)
      } else {
        deleted.remove(row)
      }
    }
    return rows
  }
}
