public import MohoMapping
public import MohoRows

/// The rows that a ``ResultsController`` reads when it is created.
public enum InitialRows: Sendable {
  /// All rows.
  case allRows

  /// The rows of the first batch. If an index has the order of the request,
  /// reading them takes the same time for any number of rows. The controller
  /// reads all other rows in the background and delivers them as the first
  /// update. All rows, if the request selects the first rows of each group.
  case firstBatch
}

/// The live result of a request. It is an ordered list of models in sections,
/// and reports the exact changes that each commit makes to the list.
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
/// - The controller follows all commits, in their order: by models, GRDB, raw
///   SQL and other processes. It processes commits of this process before the
///   call that made them returns, and commits of other processes within the
///   store's `StoreConfiguration.externalChangesInterval`.
/// - An update has one record for each touched row, with its old and new path
///   and the keys whose values changed. If a row moves and changes, its record
///   contains both.
/// - Untouched rows never move. The number of moves is minimal.
/// - A commit that does not change the result produces no update.
/// - If the sections have summaries, an update has one record for each section that
///   stays and whose summary differs.
///   <doc:ObservingResults> lists all cases in which an update reports more than
///   has changed.
///
/// Limits:
/// - The cost of a commit depends on its effect on the result: the written
///   rows, the rows that are linked to them if the request or the models read
///   other tables, and a search for the new position of each row. If more than
///   one fiftieth of the rows may have moved, the controller reads the IDs of
///   all rows again, which takes time in proportion to their number. It does
///   the same if previous links are not available or the record of a commit is
///   incomplete.
/// - The new position of a row takes one index lookup if all orderings are
///   attributes of the rows and an index has that order. Otherwise it takes as
///   many comparisons as the binary logarithm of the number of rows. PostgreSQL
///   compares several rows in each statement, so it takes fewer statements.
/// - After an incomplete commit (`CommittedChanges.isComplete`), only the
///   positions of rows can be determined. Every row counts as changed in all
///   keys.
/// - The controller stores the IDs of all rows that meet the conditions,
///   regardless of the limit, at about 13 bytes per row, and twice as many for a
///   request that selects the first rows of each group.
/// - Until the controller detects a commit of another process, models that it
///   reads may already contain the changes of that commit.
/// - Changes of content are detected by comparing 64-bit fingerprints of the
///   values.
///
/// A controller can be used from any thread. It follows the store until it and
/// all of its snapshots are released.
public final class ResultsController<Model: MappedModel>: Sendable {
  let follower: ResultsFollower

  /// Fetches the result of a request, and follows it.
  ///
  /// The result has a single section, or sections by a key or by a value that is calculated
  /// from keys or read from related rows:
  ///
  /// ```swift
  /// let newest = ModelRequest<Episode>().order(by: \.publishedAt, .descending)
  /// let list = try ResultsController(newest, in: store)
  /// let seasons = try ResultsController(
  ///   ModelRequest<Episode>().order(by: \.season), in: store, sectionedBy: \.season)
  /// let podcasts = try ResultsController(
  ///   ModelRequest<Episode>().order { $0.podcast.title }.order(by: \.publishedAt), in: store,
  ///   sectionedBy: { $0.podcast.title })
  /// ```
  ///
  /// The section key must be the first ordering of the request. If the ordering ignores
  /// letter case or accents, rows with equal texts are one section, whose key is the text
  /// without these differences. Rows without a value form a separate section.
  ///
  /// The controller can compute values from the rows of each section, and follow
  /// them:
  ///
  /// ```swift
  /// let controller = try ResultsController(
  ///   ModelRequest<Episode>().order(by: \.season), in: store, sectionedBy: \.season,
  ///   summaries: { [.count, .sum($0.minutes)] })
  /// for section in controller.snapshot.sections {
  ///   print(section.name, section.summary?["sum(minutes)"] ?? "")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: The rows and their order.
  ///   - store: The store.
  ///   - section: Selects the section key from the keys of the model: a closure, or a key
  ///     path literal such as `\.season`. Nil for a single section.
  ///   - summaries: Selects the values to compute from the visible rows of each
  ///     section; see ``ResultsSection/summary``. A commit of one row takes about a
  ///     third longer with them, and each row takes up to 35 bytes more and 24 bytes
  ///     per value.
  ///   - initialRows: The rows to read before the call returns.
  /// - Throws: ``ResultsError`` if the section key is not the first ordering of the request
  ///   or has binary values, `StoreError` if the request is invalid or cannot be executed, or
  ///   if the call is made inside `write`.
  public convenience init(
    _ request: ModelRequest<Model>, in store: ModelStore,
    sectionedBy section: ((ModelKeys<Model>) -> any RequestOperand)? = nil,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] },
    startingWith initialRows: InitialRows = .allRows
  ) throws {
    try self.init(
      request, sectionedBy: section.map(ModelRequest<Model>.operand),
      summaries: request.summaries(summaries), in: store, startingWith: initialRows)
  }

  /// - Parameter rescans: Whether to read all IDs again after each commit that
  ///   touches the result. Tests compare the outcome with the default behavior.
  package init(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?,
    summaries: RequestAggregates? = nil, in store: ModelStore,
    startingWith initialRows: InitialRows = .allRows, rescans: Bool = false
  ) throws {
    follower = try .following(
      request, sectionedBy: section, summaries: summaries, in: store, startingWith: initialRows,
      rescans: rescans)
  }

  init(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?,
    summaries: RequestAggregates?, in store: ModelStore, startingWith initialRows: InitialRows
  ) async throws {
    follower = try await store.engine.perform(.observing) {
      try .following(
        request, sectionedBy: section, summaries: summaries, in: store,
        startingWith: initialRows, rescans: false)
    }
  }

  /// The current state of the result.
  public var snapshot: ResultsSnapshot<Model> {
    ResultsSnapshot(state: follower.state, follower: follower)
  }

  /// The updates that follow the current state.
  public var updates: ResultsUpdates<Model> { updates(since: snapshot) }

  /// Returns the updates that follow a snapshot.
  ///
  /// The first update includes everything that was committed since the snapshot
  /// was taken. The snapshot must come from this controller. Otherwise iterating
  /// throws ``ResultsError``.
  public func updates(since snapshot: ResultsSnapshot<Model>) -> ResultsUpdates<Model> {
    ResultsUpdates(controller: self, known: snapshot)
  }
}

extension ResultsController {
  /// Replaces the request, the sections and the summaries.
  ///
  /// The new result arrives as an update, whose changes lead from the old result
  /// to the new one. Rows of both results stay, or move if their order differs.
  ///
  /// ```swift
  /// try controller.setRequest(request.filter { $0.title.contains(searchText) })
  /// ```
  ///
  /// - Parameters:
  ///   - request: The rows and their order.
  ///   - section: Selects the section key, as in the initializer. Nil for a single section,
  ///     also if the former result has sections.
  ///   - summaries: Selects the values to compute from the rows of each section. None by
  ///     default, also if the former result has summaries.
  /// - Throws: The errors of `init(_:in:sectionedBy:summaries:startingWith:)`. The previous
  ///   request then remains in effect.
  /// - Complexity: O(*n*), where *n* is the number of rows of both results.
  public func setRequest(
    _ request: ModelRequest<Model>,
    sectionedBy section: ((ModelKeys<Model>) -> any RequestOperand)? = nil,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] }
  ) throws {
    try follower.follow(
      request, sectionedBy: section.map(ModelRequest<Model>.operand),
      summaries: request.summaries(summaries))
  }
}

extension ModelRequest {
  /// The values to compute from the rows of each section.
  func summaries(_ summaries: (ModelKeys<Model>) -> [Aggregate]) -> RequestAggregates {
    aggregates(groupedBy: { _ in [] }, summaries)
  }
}
