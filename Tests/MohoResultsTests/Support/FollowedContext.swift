import MohoChanges
import MohoRows
import MohoTesting

@testable import MohoResults

/// Two controllers of one request in a context, one of which builds its list again in
/// each transition, and the books of their last state.
final class FollowedContext: ResultsControllerDelegate {
  private(set) var updateCount = 0
  private let results: ContextResultsController<Book>
  private let other: ContextResultsController<Book>
  private let log: UpdateLog<Book>
  private var followed: FollowedRequest
  private var shown: [Int64: PresentedBook]
  private var views: SimulatedViews<PresentedBook>
  private var updates: [ResultsUpdate<Book>] = []
  private var onUpdate: (() -> Void)?
  /// Which of the two controllers accepted a new request.
  private var acceptedRequest = (first: false, second: false)
  /// Whether the changed keys of a commit are unknown.
  private var areChangedKeysUnknown = false
  /// Whether commits could not be presented. The next update includes them.
  private var isBehind = false
  private var defect: String?

  init(_ followed: FollowedRequest, in context: EditingContext) throws {
    self.followed = followed
    results = try ContextResultsController(
      followed.request, sectionedBy: followed.section, summaries: followed.summaries, in: context)
    other = try ContextResultsController(
      followed.request, sectionedBy: followed.section, summaries: followed.summaries, in: context,
      rebuilds: true)
    shown = try Self.books(of: results.snapshot)
    views = SimulatedViews(try Self.rows(results.snapshot, shown))
    log = UpdateLog(other)
    results.delegate = self
  }

  var name: String { followed.name }

  /// Presents commits of others, unless they deleted rows that are linked to books of
  /// the context.
  func catchUp() throws {
    for controller in [results, other] {
      do {
        try controller.catchUp()
      } catch let error as StoreError where error.code == .rowNotFound {}
    }
  }

  /// Sets a new request.
  func follow(_ next: FollowedRequest) throws {
    let former = followed
    areChangedKeysUnknown = results.failure != nil
    acceptedRequest = (follow(next, by: results), follow(next, by: other))
    if acceptedRequest.first { followed = next }
    // Rows that the previous request could not present count as changed in all keys.
    if try fetched(former) == nil { areChangedKeysUnknown = true }
  }

  /// Sets a new request during the next update.
  func followInNextUpdate(_ next: FollowedRequest) {
    onUpdate = { [unowned self] in
      onUpdate = nil
      acceptedRequest.first = follow(next, by: results)
      if acceptedRequest.first { followed = next }
    }
    log.onUpdate = { [unowned self] in
      log.onUpdate = nil
      acceptedRequest.second = follow(next, by: other)
    }
  }

  /// Returns whether a controller accepts a new request. It cannot if others deleted
  /// rows that are linked to books of its context.
  private func follow(
    _ next: FollowedRequest, by controller: ContextResultsController<Book>
  ) -> Bool {
    do {
      try controller.follow(
        next.request, sectionedBy: next.section, summaries: next.summaries)
      return true
    } catch let error as StoreError where error.code == .rowNotFound {
      return false
    } catch {
      defect = "cannot follow \(next.name): \(error)"
      return false
    }
  }

  func controller(
    _ controller: any PresentedResults<Book>, didApply update: ResultsUpdate<Book>
  ) {
    updates.append(update)
    onUpdate?()
  }

  /// Compares the reported updates and the presented books with the context.
  ///
  /// - Parameter editsPrecedeDetection: Whether books were edited before a commit of
  ///   others that changed them was detected.
  func check(editsPrecedeDetection: Bool) throws {
    defer { (acceptedRequest, areChangedKeysUnknown) = ((false, false), false) }
    // Fetching reads rows again that others changed.
    let found = try fetched(followed)
    let (updates, expected) = (updates, log.updates)
    (self.updates, log.updates) = ([], [])
    (onUpdate, log.onUpdate) = (nil, nil)
    if let defect { throw Mismatch(description: defect) }
    try require(acceptedRequest.first == acceptedRequest.second, "one of the two follows \(name)")
    try require(
      results.failure == nil || found == nil, "\(results.failure.map { "\($0)" } ?? "")")
    try require(
      updates.map(\.changes) == expected.map(\.changes),
      "\(updates.map(\.changes))\n-- built again:\n\(expected.map(\.changes))")
    for update in updates {
      try take(
        update, editsPrecedeDetection: editsPrecedeDetection || areChangedKeysUnknown || isBehind)
    }
    isBehind = found == nil

    guard let found else { return }
    let snapshot = results.snapshot
    try require(snapshot.index == other.snapshot.index, "the lists differ")
    let identities = snapshot.identities
    try require(identities == found, "presented: \(identities)\nfetched: \(found)")
    try requireSections(of: snapshot)
    let now = try Self.books(of: snapshot)
    try require(now == shown, "a change was not reported")
    try requireSummaries(of: snapshot, now)
    try requireBooks(now, of: snapshot)
    _ = try fetched(followed)
    try require(self.updates.isEmpty, "reading has changed the result")
  }

  /// What the context fetches. `nil` if others deleted rows that are linked to books
  /// of the context.
  private func fetched(_ followed: FollowedRequest) throws -> [RowIdentity]? {
    do {
      return try results.context.fetch(followed.request.rows).map(\.identity)
    } catch let error as StoreError where error.code == .rowNotFound {
      return nil
    }
  }

  private func take(_ update: ResultsUpdate<Book>, editsPrecedeDetection: Bool) throws {
    updateCount += 1
    let (old, new, changes) = (update.before, update.after, update.changes)
    try require(!changes.isEmpty || !update.identities.isEmpty, "an update without changes")
    for change in update.identities {
      try require(
        new.identity(at: change.path) == change.new && !change.new.isTemporary,
        "\(change) is not at \(change.path)")
    }
    let later = try Self.books(of: new)
    try requireExact(
      changes, from: old, to: new, later, editsPrecedeDetection: editsPrecedeDetection)
    if let issue = views.apply(
      changes, from: old.index, to: new.index, rows: try Self.rows(new, later),
      mode: editsPrecedeDetection ? .strict : [.strict, .minimal])
    {
      throw Mismatch(description: "\(issue)\n\(changes)")
    }
    shown = later
    try BookSummaries.require(changes, from: old, to: new)
  }

  /// The rows of the views, with the headers of their sections.
  private static func rows(
    _ snapshot: ResultsSnapshot<Book>, _ books: [Int64: PresentedBook]
  ) throws -> SimulatedTable<PresentedBook>.Rows {
    var rows = try SimulatedTable.Rows(snapshot.index, books)
    rows.headers = BookSummaries.headers(of: snapshot)
    return rows
  }

  /// Requires that the summaries are those of the books, unless a book is incomplete.
  private func requireSummaries(
    of snapshot: ResultsSnapshot<Book>, _ shown: [Int64: PresentedBook]
  ) throws {
    var books: [Book] = []
    for number in snapshot.index.rowIDs {
      guard case .complete(let book)? = shown[number] else { return }
      books.append(book)
    }
    try BookSummaries.require(snapshot, books, readsShelves: followed.isRelated)
  }

  private func requireExact(
    _ changes: ChangeSet, from old: ResultsSnapshot<Book>, to new: ResultsSnapshot<Book>,
    _ later: [Int64: PresentedBook], editsPrecedeDetection: Bool
  ) throws {
    var recorded: [Int64: RowChange] = [:]
    for change in changes.rows { recorded[change.rowID] = change }
    try require(recorded.count == changes.rows.count, "a row has two records:\n\(changes)")
    for number in Set(shown.keys).union(later.keys) {
      let record = recorded[number]
      guard let was = shown[number], let isNow = later[number] else {
        try require(record != nil, "\(number) has no record:\n\(changes)")
        continue
      }
      guard let keys = was.changedKeys(to: isNow) else { continue }
      let reported = record?.changedKeys ?? []
      try require(
        editsPrecedeDetection ? Set(reported).isSuperset(of: keys) : reported == keys,
        "\(number) has changed \(keys):\n\(changes)\n\(was)\n\(isNow)")
    }
  }

  private func requireSections(of snapshot: ResultsSnapshot<Book>) throws {
    guard snapshot.index.isSectioned else { return }
    for (section, key) in snapshot.index.sectionKeys.enumerated() {
      for number in snapshot.index.rowIDs(inSection: section) {
        guard name == "genres", case .complete(let book)? = shown[number] else { continue }
        try require(
          key == (book.genre.map { .text($0) } ?? .null), "\(book) is in the section \(key)")
      }
    }
  }

  /// Requires that unsaved books equal those of the context. If only books are
  /// unsaved or lose links, the others must equal those of the store.
  private func requireBooks(
    _ books: [Int64: PresentedBook], of snapshot: ResultsSnapshot<Book>
  ) throws {
    let context = results.context
    let pending = Set(context.allPending)
    let own = Set(context.ownPending)
    let areUnrelatedRowsSaved =
      !followed.isRelated && context.allAffected.allSatisfy { $0.entity == "Book" }
    let stored =
      areUnrelatedRowsSaved ? try context.store.fetch(ModelRequest<Book>()) : []
    let byID = Dictionary(uniqueKeysWithValues: stored.map { (Int64($0.id), $0) })
    for (number, identity) in zip(snapshot.index.rowIDs, snapshot.identities) {
      if own.contains(identity) {
        let book = try PresentedBook(of: snapshot.overlay?.rows[number]) {
          try ManagedRowAdapter<Book>().model(from: context.row(identity))
        }
        try require(books[number] == book, "\(identity) is not as it is in the context")
      } else if areUnrelatedRowsSaved, !pending.contains(identity), let rowID = identity.stored,
        let book = byID[rowID]
      {
        try require(books[number] == .complete(book), "\(identity) is not as it is in the store")
      }
    }
  }

  private static func books(of snapshot: ResultsSnapshot<Book>) throws -> [Int64: PresentedBook] {
    var books: [Int64: PresentedBook] = [:]
    for (position, number) in snapshot.index.rowIDs.enumerated() {
      guard let path = snapshot.index.path(atPosition: position) else { continue }
      books[number] = try PresentedBook(of: snapshot.overlay?.rows[number]) {
        try snapshot.model(at: path)
      }
    }
    return books
  }
}

extension ResultsSnapshot {
  /// The identities of the rows, in order.
  var identities: [RowIdentity] {
    (0..<count).compactMap { index.path(atPosition: $0).flatMap { identity(at: $0) } }
  }
}
