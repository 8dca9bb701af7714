import Dispatch
public import MohoMapping
public import MohoStore

/// The live result of a request: an ordered list of models in sections, and
/// what every commit does to it.
///
/// ```swift
/// let controller = try ResultsController(
///   ModelRequest<Episode>().order(by: \.season).order(by: \.publishedAt, .descending),
///   in: store, sectionedBy: \.season)
/// let list = controller.snapshot
/// for try await update in controller.updates(since: list) {
///   for change in update.changes.rows { print(change) }
/// }
/// ```
///
/// Guarantees:
/// - Commits by models, GRDB, raw SQL and other processes are all seen, in
///   their order; those of this process before the write that made them
///   returns, those of others within the store's
///   `StoreConfiguration.externalChangesInterval`.
/// - An update has one record for each touched row, with its old and new place
///   and the keys whose values changed. A row that changes its place and its
///   content is one record that says both.
/// - Rows that were not touched never move, and moves are as few as that
///   allows.
/// - A commit that changes nothing of the result makes no update. The cases in which
///   an update reports more than has changed are listed in <doc:ObservingResults>.
///
/// Limits:
/// - A commit costs time in proportion to what it changed of the result: the
///   rows that were written, those that are linked to them where the request
///   reads other tables or models contain others, and a search for the new place
///   of each. Where more than a fiftieth of the rows may have another place,
///   identities are all read anew, which takes time in proportion to their
///   number. So it is where former links are not known, or the feed of commits
///   is not complete.
/// - The place of a row is found by one look into an index where the orderings
///   are attributes of the rows that have an index in that order; else by as many
///   comparisons as the logarithm of the number of rows.
/// - Of a commit that is not complete (`CommittedChanges.isComplete`) nothing is
///   known but the places of rows: every row counts as changed in all keys.
/// - The identities of all rows are held that meet the conditions, whatever the
///   limit, at about 13 bytes a row.
/// - Until a commit of another process is noticed, models that are read may be
///   those of that commit already.
/// - Changed contents are told from unchanged ones by 64-bit fingerprints of each
///   value.
///
/// A controller may be used from any thread. It follows the store until it and
/// all of its snapshots are let go.
public final class ResultsController<Model: MappedModel>: Sendable {
  let follower: ResultsFollower

  /// Fetches a request's result, in one section, and follows it.
  ///
  /// - Throws: `StoreError` where the request cannot be carried out, or the
  ///   call is made inside `write`.
  public convenience init(
    _ request: ModelRequest<Model>, in store: ModelStore,
    startingWith start: ResultsStart = .allRows
  ) throws {
    try self.init(request, sectionedBy: nil, in: store, startingWith: start)
  }

  /// Fetches a request's result in sections of rows that have one value of a
  /// key, and follows it.
  ///
  /// The section key must be the request's first ordering. Rows whose key is
  /// nil have a section of their own.
  ///
  /// - Throws: ``ResultsError`` where the section key is not the first
  ///   ordering, or holds bytes; `StoreError` where the request cannot be
  ///   carried out, or the call is made inside `write`.
  public convenience init<Section>(
    _ request: ModelRequest<Model>, in store: ModelStore,
    sectionedBy keyPath: KeyPath<Model, Section>, startingWith start: ResultsStart = .allRows
  ) throws {
    let key = Operand.key(KeyName(keyPath, of: Model.self))
    try self.init(request, sectionedBy: key, in: store, startingWith: start)
  }

  /// Fetches a request's result in sections of rows that have one value that is
  /// made of keys, as those of rows that they are related to, and follows it.
  ///
  /// ```swift
  /// let controller = try ResultsController(
  ///   ModelRequest<Episode>().order { $0.podcast.title }.order(by: \.publishedAt), in: store,
  ///   sectionedByValue: { $0.podcast.title })
  /// ```
  ///
  /// The value must be the request's first ordering.
  ///
  /// - Throws: As ``init(_:in:sectionedBy:startingWith:)``.
  public convenience init<Section: RequestOperand>(
    _ request: ModelRequest<Model>, in store: ModelStore,
    sectionedByValue section: (ModelKeys<Model>) -> Section,
    startingWith start: ResultsStart = .allRows
  ) throws {
    try self.init(
      request, sectionedBy: ModelRequest<Model>.operand(section), in: store, startingWith: start)
  }

  /// - Parameter rescans: Whether all identities are read anew after each commit
  ///   that touches the result: what is found is the same.
  package init(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?, in store: ModelStore,
    startingWith start: ResultsStart = .allRows, rescans: Bool = false
  ) throws {
    let (follower, subscription) = try store.observe(
      { reader in
        try ResultsFollower(
          store, ResultsQuery(request, sectionedBy: section, reader), startingWith: start,
          rescans: rescans, reader)
      },
      onCommit: { follower, commit, reader in follower.follow(commit, reader) })
    follower.keep(subscription)
    self.follower = follower
    if follower.state.rows.areAll { return }
    DispatchQueue.global(qos: .userInitiated).async { [weak follower] in follower?.complete() }
  }

  /// The current state of the result.
  public var snapshot: ResultsSnapshot<Model> {
    ResultsSnapshot(state: follower.state, follower: follower)
  }

  /// The updates that lead on from a state that is known.
  ///
  /// What was committed since the snapshot was made is part of the first
  /// update, so that none is missed. The snapshot must be this controller's:
  /// with another's, iterating throws ``ResultsError``.
  public func updates(since snapshot: ResultsSnapshot<Model>) -> ResultsUpdates<Model> {
    ResultsUpdates(controller: self, known: snapshot)
  }

  /// The updates that lead on from the current state.
  public var updates: ResultsUpdates<Model> { updates(since: snapshot) }
}
