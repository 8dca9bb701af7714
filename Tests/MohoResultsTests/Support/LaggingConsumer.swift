import MohoChanges
import MohoResults
import MohoRows
import MohoTesting

/// A consumer that receives an update after several commits, and reads from its old
/// snapshot in the meantime.
struct LaggingConsumer {
  let name: String
  private(set) var changeCount = 0
  private let controller: ResultsController<Book>
  private let hasSummaries: Bool
  private var known: ResultsSnapshot<Book>
  private var models: [Int64: Book]
  private var tags: [Int64: Set<LinkedTag>]
  private var views: SimulatedViews<LinkedBook>
  /// The keys of related rows that any commit since the known state changed, by row.
  private var relatedKeys: [Int64: Set<String>] = [:]
  private var generator: SeededGenerator
  private var lag = 0

  private static let related = ["shelf", "chapters", "tags"]

  init(
    _ name: String, _ request: ModelRequest<Book>, sectionedBy section: Operand?,
    hasSummaries: Bool, in store: ModelStore, seed: UInt64
  ) throws {
    self.name = name
    generator = SeededGenerator(seed: seed)
    self.hasSummaries = hasSummaries
    controller = try ResultsController(
      request.batchSize(7), sectionedBy: section,
      summaries: hasSummaries ? BookSummaries.aggregates(request) : nil, in: store)
    known = controller.snapshot
    models = Self.books(known, try known.models())
    tags = try store.linkedTags()
    views = SimulatedViews(try Self.rows(known, models, tags))
  }

  /// Records what a commit changed, and receives an update if one is due.
  mutating func follow(
    from old: BookState, to new: BookState
  ) throws {
    for (rowID, keys) in old.relatedChanges(to: new) {
      relatedKeys[rowID, default: []].formUnion(keys)
    }
    try readKnown()
    guard lag == 0 else { return lag -= 1 }
    lag = generator.below(generator.oneIn(4) ? 24 : 5)
    try update(new)
  }

  /// Requires that readable models have the content of the known state.
  private func readKnown() throws {
    for rowID in known.index.rowIDs {
      guard let path = known.index.path(of: rowID) else { continue }
      do {
        let model = try known.model(at: path)
        try require(model == models[rowID], "a snapshot reads later content of row \(rowID)")
      } catch let error as ResultsError where [.rowChanged, .rowDeleted].contains(error.code) {}
    }
  }

  private mutating func update(_ state: BookState) throws {
    let snapshot = controller.snapshot
    let changes = try controller.changes(since: known)
    let books = try snapshot.models()
    let later = Self.books(snapshot, books)
    if hasSummaries { try BookSummaries.require(snapshot, books) }
    try requireExact(changes, later, state.tags)
    try BookSummaries.require(changes, from: known, to: snapshot)
    let rows = try Self.rows(snapshot, later, state.tags)
    // Which of two rows is reported as moved may depend on a row that was touched in
    // between. So the views do not check for minimal rendering.
    if let issue = views.apply(
      changes, from: known.index, to: snapshot.index, rows: rows, mode: .strict)
    {
      throw Mismatch(description: "\(issue)\n\(changes)")
    }
    if !changes.isEmpty { changeCount += 1 }
    (known, models, tags, relatedKeys) = (snapshot, later, state.tags, [:])
  }

  private func requireExact(
    _ changes: ChangeSet, _ later: [Int64: Book], _ laterTags: [Int64: Set<LinkedTag>]
  ) throws {
    var records: [Int64: RowChange] = [:]
    for change in changes.rows {
      try require(records.updateValue(change, forKey: change.rowID) == nil, "two records")
    }
    for rowID in Set(models.keys).union(later.keys) {
      let record = records[rowID]
      guard let old = models[rowID], let new = later[rowID] else {
        try require(record != nil, "book \(rowID) has no record:\n\(changes)")
        continue
      }
      var keys = old.changedKeys(to: new).filter { $0 != "tags" }
      if tags[rowID] != laterTags[rowID] { keys.append("tags") }
      let recorded = record?.changedKeys ?? []
      let isOwn = { (key: String) in !Self.related.contains(key) }
      try require(
        recorded.filter(isOwn) == keys.filter(isOwn)
          && Set(keys).isSubset(of: recorded)
          && Set(recorded).isSubset(of: Set(keys).union(relatedKeys[rowID] ?? [])),
        "book \(rowID) has changed \(keys), not \(recorded):\n\(changes)\n\(old)\n\(new)")
    }
  }

  private static func books(
    _ snapshot: ResultsSnapshot<Book>, _ models: [Book]
  ) -> [Int64: Book] {
    Dictionary(uniqueKeysWithValues: zip(snapshot.index.rowIDs, models))
  }

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

/// All books of a store in one state.
struct BookState {
  let books: [Int64: Book]
  let tags: [Int64: Set<LinkedTag>]

  init(_ store: ModelStore) throws {
    let books = try store.fetch(ModelRequest<Book>()).map { (Int64($0.id), $0) }
    self.books = Dictionary(uniqueKeysWithValues: books)
    tags = try store.linkedTags()
  }

  /// The keys that read related rows and differ, by row. All of them for a deleted
  /// book.
  func relatedChanges(to later: BookState) -> [Int64: [String]] {
    var changes: [Int64: [String]] = [:]
    for (rowID, old) in books {
      guard let new = later.books[rowID] else {
        changes[rowID] = ["shelf", "chapters", "tags"]
        continue
      }
      var keys = old.changedKeys(to: new).filter { ["shelf", "chapters"].contains($0) }
      if tags[rowID] != later.tags[rowID] { keys.append("tags") }
      changes[rowID] = keys
    }
    return changes
  }
}
