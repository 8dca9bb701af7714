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
/// - A commit that changes nothing of the result makes no update.
///
/// Limits:
/// - A commit to the model's table costs time in proportion to the number of
///   rows: their identities are read again.
/// - Contents are compared by 64-bit fingerprints of each value.
///
/// A controller may be used from any thread. It follows the store until it is
/// let go.
public final class ResultsController<Model: MappedModel>: Sendable {
  let follower: ResultsFollower<Model>
  private let subscription: CommitSubscription

  /// Fetches a request's result, in one section, and follows it.
  ///
  /// - Throws: `StoreError` where the request cannot be carried out, or the
  ///   call is made inside `write`.
  public convenience init(_ request: ModelRequest<Model>, in store: ModelStore) throws {
    try self.init(ResultsQuery(request, sectionedBy: nil, in: store.schema), in: store)
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
    sectionedBy keyPath: KeyPath<Model, Section>
  ) throws {
    try self.init(
      ResultsQuery(
        request, sectionedBy: KeyName(keyPath, of: Model.self), in: store.schema),
      in: store)
  }

  private init(_ query: ResultsQuery<Model>, in store: ModelStore) throws {
    (follower, subscription) = try store.observe(
      { reader in ResultsFollower(store, query, try query.state(reader)) },
      onCommit: { follower, commit, reader in follower.follow(commit, reader) })
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
