import MohoMapping
import MohoRows
import Synchronization

/// The readers of the results that observers follow, by request. Observers of the
/// same request share a reader.
final class ResultReaderCache: Sendable {
  private struct Key: Hashable {
    let request: RowRequest
    let operands: [Operand]
    let model: ObjectIdentifier?
    let isSectioned: Bool
  }

  private struct Entry { weak var reader: PostgresResultReader? }

  private let readers = Lock<[Key: Entry]>([:])

  /// The rows for which the queries of other readers were collected in a commit.
  private let searchedRows = Lock<(commit: Int?, rows: Set<EntityRows>)>((nil, []))

  private struct EntityRows: Hashable {
    let entity: String
    let rowIDs: Set<Int64>
  }

  init() {}

  /// The maximum number of rows that are read for several readers at once.
  private static let rowLimit = 1_000

  /// Returns the queries of readers that probably read the same rows as another one.
  func expectedQueries(
    for rowIDs: Set<Int64>, _ session: PostgresSession, except first: PostgresResultReader
  ) -> [ExpectedQuery] {
    guard rowIDs.count <= Self.rowLimit else { return [] }
    let entity = first.request.entity.name
    // Readers that were not found by the first search do not expect the rows.
    let isFirst = searchedRows.withLock { searched in
      let commit = session.reportedCommit?.number
      if searched.commit != commit { searched = (commit, []) }
      return searched.rows.insert(EntityRows(entity: entity, rowIDs: rowIDs)).inserted
    }
    if !isFirst { return [] }
    return readers.withLock { $0.values.compactMap(\.reader) }
      .filter { $0 !== first && $0.request.entity.name == entity }
      .flatMap { $0.expectedQueries(for: rowIDs, session) }
  }

  /// Returns the reader of a request.
  func reader(
    of request: ResolvedRequest, models model: (any MappedModel.Type)?, isSectioned: Bool,
    _ schema: Schema
  ) throws -> PostgresResultReader {
    let key = Key(
      request: request.rows.limit(nil).offset(0), operands: request.operands,
      model: model.map { ObjectIdentifier($0) }, isSectioned: isSectioned)
    if let known = readers.withLock({ $0[key]?.reader }) { return known }
    let reader = try PostgresResultReader(
      request, models: model, isSectioned: isSectioned, schema)
    return readers.withLock { readers in
      if let known = readers[key]?.reader { return known }
      readers = readers.filter { $0.value.reader != nil }
      readers[key] = Entry(reader: reader)
      return reader
    }
  }
}
