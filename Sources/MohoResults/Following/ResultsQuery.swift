import Foundation
import MohoChanges
import MohoMapping
import MohoRows

/// A request with its section key. It computes the states of a result from the
/// committed states of the store.
final class ResultsQuery: Sendable {
  /// The number of models to read at a time.
  let batchSize: Int
  /// The number of models that snapshots cache.
  var cacheCapacity: Int { min(batchSize, Int.max / 8) * 8 }
  let isSectioned: Bool
  let result: ResultDefinition
  let rows: any ResultReader
  /// The request that selects the keys of groups for all rows. Nil if groups are not limited.
  let groupRequest: ResolvedRequest?
  let window: RowWindow
  /// The values that are computed from the rows of each section, or nil.
  let summaries: SummaryQuery?

  /// The names of the keys, in declaration order.
  let keyNames: [String]
  private let keyRanks: [String: Int]
  /// The position of each column among the keys. `nil` for a column without a
  /// key.
  private let columnRanks: [Int?]

  init<Model>(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?,
    summaries: RequestAggregates?, _ reader: StoreReader
  ) throws {
    if let section { try Self.check(section, of: request) }
    batchSize = max(1, request.batchSize)
    isSectioned = section != nil
    let groupLimit = request.rows.groupLimit
    result = try ResultDefinition(
      request.rows, selecting: groupLimit?.keys ?? [], of: Model.self, reader.schema)
    groupRequest =
      groupLimit?.count == nil
      ? nil
      : try ResolvedRequest(
        request.rows.unpaged.unordered, reader.schema, selecting: groupLimit?.keys ?? [])
    rows = try reader.session.resultReader(
      of: result.request, models: Model.self, isSectioned: isSectioned)
    window = RowWindow(
      rowsPerGroup: groupLimit?.count.map { max(0, $0) }, offset: request.offset,
      limit: request.limit)
    self.summaries = try summaries.flatMap { [isSectioned] in
      try SummaryQuery($0, isSectioned: isSectioned, reader)
    }
    keyNames = Model.mapping.keys.filter(\.isStored).map(\.name)
    keyRanks = Dictionary(
      zip(keyNames, keyNames.indices), uniquingKeysWith: { first, _ in first })
    columnRanks = result.columnNames.map { [keyRanks] in keyRanks[$0] }
  }

  private static func check<Model>(
    _ section: Operand, of request: ModelRequest<Model>
  ) throws {
    guard let first = request.orderings.first, first.value == section else {
      throw ResultsError(
        code: .sectionKeyNotFirst,
        reason: "the section key `\(section)` is not the first ordering of the request;"
          + " order by `\(section)` first")
    }
  }

  /// Reads the IDs of all rows that satisfy the conditions, in order.
  ///
  /// - Parameter limit: The maximum number of rows to read.
  /// - Complexity: O(*n*), where *n* is the number of rows.
  func scan(_ reader: StoreReader, limit: Int? = nil) throws -> OrderedIndex {
    var builder = OrderedIndex.Builder(sectioned: isSectioned)
    do {
      try rows.scan(reader, limit: limit) { rowIDs, section in
        try builder.append(contentsOf: rowIDs, section: section.map { try SectionKey($0) } ?? .all)
      }
    } catch let error as OrderedIndexError {
      throw ResultsError(code: .invalidSectionKey, reason: "\(error)")
    }
    return builder.finish()
  }

  /// Returns the names of the keys whose values changed in a row that exists
  /// before and after a commit.
  ///
  /// - Parameter related: Additional changed keys, which read related rows.
  func changedKeys(of row: RowDelta?, related: Set<String> = []) -> [String] {
    guard let row else { return sorted(related) }
    guard case .row(let old) = row.before, case .row(let new) = row.after,
      old.count == columnRanks.count, new.count == columnRanks.count
    else { return keyNames }
    var ranks: [Int] = []
    for (column, rank) in columnRanks.enumerated() where old[column] != new[column] {
      if let rank { ranks.append(rank) }
    }
    for key in related {
      if let rank = keyRanks[key], !ranks.contains(rank) { ranks.append(rank) }
    }
    ranks.sort()
    return ranks.map { keyNames[$0] }
  }

  /// Returns the changed columns of a row as bits, or `nil` if they cannot be
  /// determined or if there are too many columns.
  func changedColumns(of row: RowDelta) -> UInt64? {
    guard case .row(let old) = row.before, case .row(let new) = row.after,
      old.count == columnRanks.count, new.count == columnRanks.count, old.count <= 64
    else { return nil }
    var columns: UInt64 = 0
    for column in old.indices where old[column] != new[column] { columns |= 1 << UInt64(column) }
    return columns
  }

  /// Returns all keys for each row.
  func allKeys(of index: OrderedIndex) -> [Int64: [String]] {
    Dictionary(index.rowIDs.map { ($0, keyNames) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the keys in declaration order, without columns that have no key.
  func sorted(_ keys: Set<String>) -> [String] {
    keys.compactMap { key in keyRanks[key].map { (key, $0) } }.sorted { $0.1 < $1.1 }.map(\.0)
  }
}

extension SectionKey {
  /// Creates a section key from a value in memory or in a column. Booleans
  /// become integers, dates become seconds, and decimals and integers above
  /// `Int64.max` become text.
  init(_ value: FieldContent) throws {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .int64(let value): self = .integer(value)
    case .uint64(let value):
      self = Int64(exactly: value).map { .integer($0) } ?? .text("\(value)")
    case .double(let value): self = .real(value)
    case .date(let value): self = .real(value.timeIntervalSinceReferenceDate)
    case .decimal(let value): self = .text(value.description)
    case .string(let value): self = .text(value)
    default:
      throw ResultsError(
        code: .invalidSectionKey,
        reason: "the section key has binary values; choose another key")
    }
  }
}
