import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// The reader of a result, which lists use.
@Suite(.allEngines) struct ResultReaderTests {
  private let store: ModelStore
  private let shows = ModelRequest<Shows.Show>()

  init() throws { store = try .shows() }

  private func read<Result>(
    _ request: ModelRequest<Shows.Show>, isSectioned: Bool = false,
    selecting selection: [Operand] = [],
    _ body: (any ResultReader, StoreReader) throws -> Result
  ) throws -> Result {
    try store.read { reader in
      let rows = try reader.session.resultReader(
        of: ResolvedRequest(request.rows, reader.schema, selecting: selection),
        models: Shows.Show.self, isSectioned: isSectioned)
      return try body(rows, reader)
    }
  }

  private func predecessors(
    of rowIDs: Set<Int64>, in request: ModelRequest<Shows.Show>,
    searching search: PredecessorSearch
  ) throws -> [Int64?] {
    try read(request) { rows, reader in
      try rows.place(rowIDs, reader, searching: search).map(\.predecessor)
    }
  }

  @Test func rowsAreScannedBySection() throws {
    var (batches, sections): ([[Int64]], [FieldContent?]) = ([], [])

    try read(shows.order(by: \.number), isSectioned: true) { rows, reader in
      try rows.scan(reader, limit: nil) { rowIDs, section in
        batches.append(rowIDs)
        sections.append(section)
      }
    }

    #expect(batches == [[1], [2, 3], [4]])
    #expect(sections == [.int64(1), .int64(2), .int64(5)])
  }

  @Test func aRowIsPlacedAfterTheLastRowThatPrecedesIt() throws {
    // The other rows in order.
    let others: [Int64] = [2, 3, 4]

    let found = try predecessors(of: [1], in: shows.order(by: \.length)) { _, _, precede in
      let precedes = try precede(others.map { (rowID: $0, position: 0) })
      return [others.indices.last { precedes[$0] }.map { others[$0] }]
    }

    #expect(found == [3])
  }

  @Test(.engine(.sqlite)) func anIndexPlacesRowsWithoutComparisons() throws {
    struct NoIndex: Error {}

    // The season of the first row in order, 2, is nil.
    let found = try predecessors(of: [1, 4], in: shows.order(by: \.season)) { _, _, _ in
      throw NoIndex()
    }

    #expect(found == [2, 3])
  }

  @Test func selectedValuesAreInTheirOrder() throws {
    let selection = [
      ModelRequest<Shows.Show>.operand { $0.title }, ModelRequest<Shows.Show>.operand { $0.number },
    ]
    var found: [Int64: [FieldContent]] = [:]

    try read(shows, selecting: selection) { rows, reader in
      try rows.forEachRow(among: [2, 4], reader) { found[$0] = $1 }
    }

    #expect(found == [2: [.string("été"), .int64(2)], 4: [.string("apple"), .int64(5)]])
  }
}
