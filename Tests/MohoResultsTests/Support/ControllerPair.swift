import MohoChanges
import MohoResults
import MohoRows
import MohoTesting

/// Two controllers of one request, one of which reads all IDs again after each
/// commit, and the models of their last state.
struct ControllerPair {
  let name: String
  let controller: ResultsController<Book>
  private(set) var changeCount = 0
  private let other: ResultsController<Book>
  private let request: ModelRequest<Book>
  private let store: ModelStore
  private let hasSummaries: Bool
  private var known: ResultsSnapshot<Book>
  private var models: [Int64: Book]
  private var tags: [Int64: Set<LinkedTag>]
  private var views: SimulatedViews<LinkedBook>

  init(
    _ name: String, _ request: ModelRequest<Book>, sectionedBy section: Operand? = nil,
    hasSummaries: Bool, in store: ModelStore
  ) throws {
    self.name = name
    self.store = store
    self.request = request.batchSize(7)
    self.hasSummaries = hasSummaries
    let summaries = hasSummaries ? BookSummaries.aggregates(request) : nil
    controller = try ResultsController(
      self.request, sectionedBy: section, summaries: summaries, in: store, rescans: false)
    other = try ResultsController(
      self.request, sectionedBy: section, summaries: summaries, in: store, rescans: true)
    known = controller.snapshot
    models = Dictionary(uniqueKeysWithValues: zip(known.index.rowIDs, try known.models()))
    tags = try store.linkedTags()
    views = SimulatedViews(try Self.rows(known, models, tags))
  }

  /// Compares the controllers with each other, the store and the views.
  ///
  /// - Parameter state: The books of the store, read again.
  mutating func check(_ state: BookState) throws {
    let (snapshot, step) = (controller.snapshot, controller.lastTransition)
    let expected = other.lastTransition
    try require(
      snapshot.index == other.snapshot.index,
      "the rows differ: \(Array(snapshot.index.rowIDs)), \(Array(other.snapshot.index.rowIDs))")
    try require(
      Array(snapshot.index.rowIDs) == store.fetchIdentities(request),
      "the rows are not those of the request")
    try require(
      step.generation == expected.generation,
      "one has \(step.generation) steps, not \(expected.generation)"
    )
    try require(
      step.changes == expected.changes, "\(step.changes)\n-- after a rescan:\n\(expected.changes)")
    let books = try snapshot.models()
    try require(
      books == snapshot.index.rowIDs.compactMap { state.books[$0] }, "the models differ")

    if hasSummaries { try BookSummaries.require(snapshot, books) }

    let later = Dictionary(uniqueKeysWithValues: zip(snapshot.index.rowIDs, books))
    let laterTags = state.tags
    guard snapshot.generation > known.generation else {
      return try require(
        later == models && models.keys.allSatisfy { tags[$0] == laterTags[$0] },
        "a change was not reported")
    }
    try requireExact(step.changes, later, laterTags)
    try BookSummaries.require(step.changes, from: known, to: snapshot)
    if let issue = views.apply(
      step.changes, from: known.index, to: snapshot.index,
      rows: try Self.rows(snapshot, later, laterTags))
    {
      throw Mismatch(description: "\(issue)\n\(step.changes)")
    }
    (known, models, tags) = (snapshot, later, laterTags)
    changeCount += 1
  }

  /// Requires one record for each inserted, deleted or changed book, with exactly the
  /// changed keys.
  private func requireExact(
    _ changes: ChangeSet, _ later: [Int64: Book], _ laterTags: [Int64: Set<LinkedTag>]
  ) throws {
    var recorded: [Int64: RowChange] = [:]
    for change in changes.rows { recorded[change.rowID] = change }
    try require(recorded.count == changes.rows.count, "a row has two records:\n\(changes)")
    for rowID in Set(models.keys).union(later.keys) {
      let record = recorded[rowID]
      if let old = models[rowID], let new = later[rowID] {
        var keys = old.changedKeys(to: new).filter { $0 != "tags" }
        if tags[rowID] != laterTags[rowID] { keys.append("tags") }
        try require(
          record?.changedKeys ?? [] == keys,
          "book \(rowID) has changed \(keys):\n\(changes)\n\(old)\n\(new)")
      } else {
        try require(record != nil, "book \(rowID) has no record:\n\(changes)")
      }
    }
  }

  /// The rows of the views: books with their tag rows, because tags with the same
  /// name can be different rows.
  private static func rows(
    _ snapshot: ResultsSnapshot<Book>, _ models: [Int64: Book], _ tags: [Int64: Set<LinkedTag>]
  ) throws -> SimulatedTable<LinkedBook>.Rows {
    let books = models.map { ($0, LinkedBook(book: $1, tags: tags[$0] ?? [])) }
    var rows = try SimulatedTable.Rows(
      snapshot.index, Dictionary(uniqueKeysWithValues: books))
    rows.headers = BookSummaries.headers(of: snapshot)
    return rows
  }
}

/// A book with its tag rows.
struct LinkedBook: Hashable {
  let book: Book
  let tags: Set<LinkedTag>
}
