import MohoChanges
import MohoMapping
import MohoStore

/// A request and its sections: makes the states of a result, each from a
/// committed state of the store.
struct ResultsQuery<Model: MappedModel>: Sendable {
  let request: ModelRequest<Model>
  let sectionKey: KeyName?
  let keyNames: [String]

  init(
    _ request: ModelRequest<Model>, sectionedBy sectionKey: KeyName?, in schema: Schema
  ) throws {
    if let sectionKey, request.orderings.first?.key != sectionKey {
      throw ResultsError(
        code: .sectionKeyNotFirst,
        reason: "the section key `\(sectionKey)` is not the first ordering of the request;"
          + " order by `\(sectionKey)` first")
    }
    self.request = request
    self.sectionKey = sectionKey
    // Without an entity, fetching says so.
    keyNames = schema.entity(request.rows.entity).map { schema.columnNames(of: $0) } ?? []
  }

  /// The first state.
  func state(_ reader: StoreReader) throws -> ResultsState {
    try rescan(reader, generation: 0)
  }

  /// The state after a commit and what led to it, or nil where the commit
  /// changed nothing of the result.
  ///
  /// - Parameter rescanning: Whether everything is read anew, because earlier
  ///   commits have not been taken into account.
  /// - Complexity: O(*n*) in the number of rows: identities are read again,
  ///   values only of the rows that the commit may have changed.
  func state(
    after old: ResultsState, _ commit: CommittedChanges, rescanning: Bool, _ reader: StoreReader
  ) throws -> (state: ResultsState, changes: ChangeSet)? {
    let new: ResultsState
    let changedKeys: [Int64: [String]]
    // A change of a row that the request reads on the way may change any.
    let others = try reader.tables(besidesModelsOf: request)
    let isDirect = others.isDisjoint(with: commit.rows.keys)
    if commit.isComplete && !rescanning && isDirect {
      guard let dirty = commit.rows[Model.mapping.name] else { return nil }
      (new, changedKeys) = try advance(old, dirty, reader)
    } else {
      new = try rescan(reader, generation: old.generation + 1)
      changedKeys = old.changedKeys(to: new, names: keyNames)
    }
    let changes = ChangeSet(from: old.index, to: new.index, changedKeys: changedKeys)
    return changes.isEmpty ? nil : (new, changes)
  }

  /// Reads everything anew.
  private func rescan(_ reader: StoreReader, generation: Int) throws -> ResultsState {
    let scan = try reader.scan(request, sectionedBy: sectionKey, fingerprints: true)
    return ResultsState(
      generation: generation,
      index: try index(of: scan),
      fingerprints: FingerprintTable(width: keyNames.count, values: scan.fingerprints))
  }

  /// Reads identities anew, and the values of those rows that are dirty or
  /// have come into the result's limits.
  private func advance(
    _ old: ResultsState, _ dirty: Set<Int64>, _ reader: StoreReader
  ) throws -> (ResultsState, changedKeys: [Int64: [String]]) {
    let scan = try reader.scan(request, sectionedBy: sectionKey, fingerprints: false)
    var carried = CarriedRows(Array(old.index.rowIDs), dirty: dirty)
    let origins = scan.rowIDs.map { carried.oldRow(of: $0) }
    let unknown = zip(scan.rowIDs, origins).filter { $1 == nil }.map(\.0)
    let fresh = try reader.fingerprints(of: Model.self, rowIDs: unknown)

    var fingerprints = FingerprintTable(width: keyNames.count)
    fingerprints.reserveCapacity(rows: scan.rowIDs.count)
    var changedKeys: [Int64: [String]] = [:]
    for (row, (rowID, origin)) in zip(scan.rowIDs, origins).enumerated() {
      if let origin {
        fingerprints.append(old.fingerprints[origin])
      } else if let values = fresh[rowID] {
        fingerprints.append(values)
        guard let oldRow = carried.dirtyRows[rowID] else { continue }
        let keys = old.fingerprints.changedKeys(
          ofRow: oldRow, to: fingerprints, row: row, names: keyNames)
        if !keys.isEmpty { changedKeys[rowID] = keys }
      }
    }
    let state = ResultsState(
      generation: old.generation + 1, index: try index(of: scan), fingerprints: fingerprints)
    return (state, changedKeys)
  }

  private func index(of scan: RowScan) throws -> OrderedIndex {
    var builder = OrderedIndex.Builder(sectioned: sectionKey != nil)
    builder.reserveCapacity(scan.rowIDs.count)
    do {
      if sectionKey == nil {
        for rowID in scan.rowIDs { try builder.append(rowID) }
      } else {
        for (run, (value, start)) in scan.sections.enumerated() {
          let end = run + 1 < scan.sections.count ? scan.sections[run + 1].start : scan.rowIDs.count
          let key = try SectionKey(value)
          for rowID in scan.rowIDs[start..<end] { try builder.append(rowID, section: key) }
        }
      }
    } catch let error as OrderedIndexError {
      throw ResultsError(code: .invalidSectionKey, reason: "\(error)")
    }
    return builder.finish()
  }
}

/// Finds where rows that a commit left alone stood before it.
private struct CarriedRows {
  private let oldRowIDs: [Int64]
  private let dirty: Set<Int64>
  private var next = 0
  private lazy var positions: [Int64: Int] = Dictionary(
    zip(oldRowIDs, oldRowIDs.indices), uniquingKeysWith: { first, _ in first })

  /// Where the dirty rows stood that were in the result.
  private(set) var dirtyRows: [Int64: Int] = [:]

  init(_ oldRowIDs: [Int64], dirty: Set<Int64>) {
    self.oldRowIDs = oldRowIDs
    self.dirty = dirty
    for (row, rowID) in oldRowIDs.enumerated() where dirty.contains(rowID) {
      dirtyRows[rowID] = row
    }
  }

  /// The old position of a row, or nil if it is dirty or was not in the result.
  ///
  /// Rows are asked for in their new order, which is the old one but for dirty
  /// rows, so that the next is found at once; what has left the result in
  /// another way costs a look-up table.
  mutating func oldRow(of rowID: Int64) -> Int? {
    if dirty.contains(rowID) { return nil }
    while next < oldRowIDs.count, dirtyRows[oldRowIDs[next]] != nil { next += 1 }
    if next >= oldRowIDs.count || oldRowIDs[next] != rowID {
      guard let row = positions[rowID] else { return nil }
      next = row
    }
    defer { next += 1 }
    return next
  }
}

extension SectionKey {
  init(_ value: FieldContent) throws {
    switch value {
    case .null: self = .null
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .real(value)
    case .string(let value): self = .text(value)
    default:
      throw ResultsError(
        code: .invalidSectionKey, reason: "a section key holds bytes; choose another key")
    }
  }
}
