import MohoChanges
import MohoMapping
import MohoStore

/// A request and its sections: makes the states of a result, each from a
/// committed state of the store.
struct ResultsQuery<Model: MappedModel>: Sendable {
  let request: ModelRequest<Model>
  let isSectioned: Bool
  let statements: ResultStatements
  let visible: VisibleRows

  /// The names of the keys, in declaration order.
  let keyNames: [String]
  private let keyRanks: [String: Int]

  init(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?, _ reader: StoreReader
  ) throws {
    if let section { try Self.check(section, of: request) }
    self.request = request
    isSectioned = section != nil
    statements = try reader.resultStatements(of: request, isSectioned: isSectioned)
    visible = VisibleRows(offset: request.offset, limit: request.limit)
    keyNames = Model.mapping.keys.filter { !$0.isTransient }.map(\.name)
    keyRanks = Dictionary(
      zip(keyNames, keyNames.indices), uniquingKeysWith: { first, _ in first })
  }

  private static func check(_ section: Operand, of request: ModelRequest<Model>) throws {
    guard request.orderings.first.map({ $0.value == section && $0.options.isEmpty }) == true else {
      throw ResultsError(
        code: .sectionKeyNotFirst,
        reason: "the section key `\(section)` is not the first ordering of the request;"
          + " order by `\(section)` first")
    }
  }

  /// The identities of all rows that meet the conditions, in order.
  ///
  /// - Parameter limit: How many are read at most.
  /// - Complexity: O(*n*) in their number.
  func scan(_ reader: StoreReader, limit: Int? = nil) throws -> OrderedIndex {
    let scan = try reader.scan(statements, limit: limit)
    var builder = OrderedIndex.Builder(sectioned: isSectioned)
    guard isSectioned else {
      try builder.append(contentsOf: scan.rowIDs)
      return builder.finish()
    }
    builder.reserveCapacity(scan.rowIDs.count)
    do {
      for (run, (value, start)) in scan.sections.enumerated() {
        let end = run + 1 < scan.sections.count ? scan.sections[run + 1].start : scan.rowIDs.count
        try builder.append(contentsOf: scan.rowIDs[start..<end], section: SectionKey(value))
      }
    } catch let error as OrderedIndexError {
      throw ResultsError(code: .invalidSectionKey, reason: "\(error)")
    }
    return builder.finish()
  }

  /// The keys whose values a commit has changed in a row that was there before
  /// and is there still.
  func changedKeys(of row: WrittenRow?, related: Set<String> = []) -> [String] {
    guard let row else { return sorted(related) }
    return switch (row.before, row.after) {
    case (.row(let old), .row(let new)): sorted(related.union(changedColumns(old, new)))
    default: keyNames
    }
  }

  /// All keys of all rows.
  func allKeys(of index: OrderedIndex) -> [Int64: [String]] {
    Dictionary(index.rowIDs.map { ($0, keyNames) }, uniquingKeysWith: { first, _ in first })
  }

  private func changedColumns(_ old: [UInt64], _ new: [UInt64]) -> Set<String> {
    let names = statements.columnNames
    guard old.count == names.count, new.count == names.count else { return Set(keyNames) }
    return Set(names.indices.filter { old[$0] != new[$0] }.map { names[$0] })
  }

  /// Keys in declaration order, without columns that are none.
  func sorted(_ keys: Set<String>) -> [String] {
    keys.compactMap { key in keyRanks[key].map { (key, $0) } }.sorted { $0.1 < $1.1 }.map(\.0)
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
