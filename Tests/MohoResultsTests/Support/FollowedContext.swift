import MohoChanges
import MohoStore
import MohoTesting

@testable import MohoResults

/// Two controllers of one request in a context, of which one makes its list anew
/// in each step, with the books that were shown.
final class FollowedContext: ResultsControllerDelegate {
  private(set) var updateCount = 0
  private let results: ContextResultsController<Book>
  private let other: ContextResultsController<Book>
  private let log = UpdateLog()
  private var followed: FollowedRequest
  private var shown: [Int64: ShownBook]
  private var views: SimulatedViews<ShownBook>
  private var updates: [ResultsUpdate<Book>] = []
  private var onUpdate: (() -> Void)?
  /// Which of the two have come to follow another request.
  private var areFollowing = (one: false, other: false)
  /// Whether it is not known which keys a commit has changed.
  private var areKeysUnknown = false
  /// Whether commits could not be shown, which are told together with what
  /// follows.
  private var isBehind = false
  private var defect: String?

  init(_ followed: FollowedRequest, in context: EditingContext) throws {
    self.followed = followed
    results = try ContextResultsController(
      followed.request, sectionedBy: followed.section, in: context)
    other = try ContextResultsController(
      followed.request, sectionedBy: followed.section, in: context, rebuilds: true)
    shown = try Self.books(of: results.snapshot)
    views = SimulatedViews(try SimulatedTable.Rows(results.snapshot.index, shown))
    results.delegate = self
    other.delegate = log
  }

  var name: String { followed.name }

  /// Shows what others have committed, unless they have deleted rows that books
  /// are linked to in the context.
  func catchUp() throws {
    for controller in [results, other] {
      do {
        try controller.catchUp()
      } catch let error as StoreError where error.code == .rowIsGone {}
    }
  }

  /// Follows another request.
  func follow(_ next: FollowedRequest) throws {
    let former = followed
    areKeysUnknown = results.failure != nil
    areFollowing = (follow(next, by: results), follow(next, by: other))
    if areFollowing.one { followed = next }
    // What the request before could not show counts as changed in all keys.
    if try fetched(former) == nil { areKeysUnknown = true }
  }

  /// Follows another request in the midst of the next update, if the next check
  /// finds one.
  func followInNextUpdate(_ next: FollowedRequest) {
    onUpdate = { [unowned self] in
      onUpdate = nil
      areFollowing.one = follow(next, by: results)
      if areFollowing.one { followed = next }
    }
    log.onUpdate = { [unowned self] in
      log.onUpdate = nil
      areFollowing.other = follow(next, by: other)
    }
  }

  /// Whether a controller has come to follow another request. It cannot where
  /// others have deleted rows that books are linked to in its context.
  private func follow(
    _ next: FollowedRequest, by controller: ContextResultsController<Book>
  ) -> Bool {
    do {
      try controller.follow(next.request, sectionedBy: next.section)
      return true
    } catch let error as StoreError where error.code == .rowIsGone {
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

  /// Holds what was told against the context, and what is shown against what
  /// the context has.
  ///
  /// - Parameter isSudden: Whether books have been edited before it was noticed
  ///   that others have changed them.
  func check(isSudden: Bool) throws {
    defer { (areFollowing, areKeysUnknown) = ((false, false), false) }
    // Which reads rows anew that others have changed.
    let found = try fetched(followed)
    let (updates, twins) = (updates, log.updates)
    (self.updates, log.updates) = ([], [])
    (onUpdate, log.onUpdate) = (nil, nil)
    if let defect { throw Mismatch(description: defect) }
    try require(areFollowing.one == areFollowing.other, "one of the two follows \(name)")
    try require(
      results.failure == nil || found == nil, "\(results.failure.map { "\($0)" } ?? "")")
    try require(
      updates.map(\.changes) == twins.map(\.changes),
      "\(updates.map(\.changes))\n-- made anew:\n\(twins.map(\.changes))")
    for update in updates { try take(update, isSudden: isSudden || areKeysUnknown || isBehind) }
    isBehind = found == nil

    guard let found else { return }
    let snapshot = results.snapshot
    try require(snapshot.index == other.snapshot.index, "the lists differ")
    let identities = snapshot.identities
    try require(identities == found, "shown are \(identities)\nfound \(found)")
    try requireSections(of: snapshot)
    let now = try Self.books(of: snapshot)
    try require(now == shown, "a change was not told")
    try requireBooks(now, of: snapshot)
    _ = try fetched(followed)
    try require(self.updates.isEmpty, "reading has changed the result")
  }

  /// What the context fetches, or nil where it cannot, because others have
  /// deleted rows that books are linked to in it.
  private func fetched(_ followed: FollowedRequest) throws -> [RowIdentity]? {
    do {
      return try results.context.fetch(followed.request).map(\.identity)
    } catch let error as StoreError where error.code == .rowIsGone {
      return nil
    }
  }

  private func take(_ update: ResultsUpdate<Book>, isSudden: Bool) throws {
    updateCount += 1
    let (old, new, changes) = (update.before, update.after, update.changes)
    try require(!changes.isEmpty || !update.identities.isEmpty, "an update of nothing")
    for change in update.identities {
      try require(
        new.identity(at: change.path) == change.new && !change.new.isTemporary,
        "\(change) is not at \(change.path)")
    }
    let later = try Self.books(of: new)
    try requireExact(changes, from: old, to: new, later, isSudden: isSudden)
    if let issue = views.show(
      changes, from: old.index, to: new.index, rows: try SimulatedTable.Rows(new.index, later),
      mode: isSudden ? .strict : [.strict, .minimal])
    {
      throw Mismatch(description: "\(issue)\n\(changes)")
    }
    shown = later
  }

  private func requireExact(
    _ changes: ChangeSet, from old: ResultsSnapshot<Book>, to new: ResultsSnapshot<Book>,
    _ later: [Int64: ShownBook], isSudden: Bool
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
      let told = record?.changedKeys ?? []
      try require(
        isSudden ? Set(told).isSuperset(of: keys) : told == keys,
        "\(number) has changed \(keys):\n\(changes)\n\(was)\n\(isNow)")
    }
  }

  private func requireSections(of snapshot: ResultsSnapshot<Book>) throws {
    guard snapshot.index.isSectioned else { return }
    for (section, key) in snapshot.index.sectionKeys.enumerated() {
      for number in snapshot.index.rowIDs(inSection: section) {
        guard name == "genres", case .whole(let book)? = shown[number] else { continue }
        try require(
          key == (book.genre.map { .text($0) } ?? .null), "\(book) is in the section \(key)")
      }
    }
  }

  /// Books that are not saved are those of the context; where only those are
  /// not saved, others are those of the store.
  private func requireBooks(
    _ books: [Int64: ShownBook], of snapshot: ResultsSnapshot<Book>
  ) throws {
    let context = results.context
    let pending = Set(context.allPending)
    let own = Set(context.ownPending)
    let areOthersSaved = !followed.isRelated && pending.allSatisfy { $0.entity == "Book" }
    let stored = try context.store.models(ModelRequest<Book>())
    let byID = Dictionary(uniqueKeysWithValues: stored.map { (Int64($0.id), $0) })
    for (number, identity) in zip(snapshot.index.rowIDs, snapshot.identities) {
      if own.contains(identity) {
        let book = try ShownBook(of: snapshot.overlay?.rows[number]) {
          try RowAdapter<Book>().model(from: context.row(identity))
        }
        try require(books[number] == book, "\(identity) is not as it is in the context")
      } else if areOthersSaved, !pending.contains(identity), let rowID = identity.stored,
        let book = byID[rowID]
      {
        try require(books[number] == .whole(book), "\(identity) is not as it is in the store")
      }
    }
  }

  private static func books(of snapshot: ResultsSnapshot<Book>) throws -> [Int64: ShownBook] {
    var books: [Int64: ShownBook] = [:]
    for (position, number) in snapshot.index.rowIDs.enumerated() {
      guard let path = snapshot.index.path(atPosition: position) else { continue }
      books[number] = try ShownBook(of: snapshot.overlay?.rows[number]) {
        try snapshot.model(at: path)
      }
    }
    return books
  }
}

/// Writes down what is told.
private final class UpdateLog: ResultsControllerDelegate {
  var updates: [ResultsUpdate<Book>] = []
  var onUpdate: (() -> Void)?

  func controller(
    _ controller: any PresentedResults<Book>, didApply update: ResultsUpdate<Book>
  ) {
    updates.append(update)
    onUpdate?()
  }
}

extension ResultsSnapshot {
  /// The identities of the rows, in order.
  var identities: [RowIdentity] {
    (0..<count).compactMap { index.path(atPosition: $0).flatMap { identity(at: $0) } }
  }
}
