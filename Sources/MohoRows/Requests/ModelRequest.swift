public import MohoMapping

/// Which models to fetch, and in which order.
///
/// A request is a value: each method returns a new one.
///
/// ```swift
/// let request = ModelRequest<Episode>()
///   .filter { $0.title.contains("swift", [.caseInsensitive, .diacriticInsensitive]) }
///   .filter { $0.podcast.isActive == true && $0.publishedAt > .now - 7 * 86_400 }
///   .order(by: \.publishedAt, .descending)
///   .limit(50)
/// ```
///
/// See ``StoreRequest`` for what requests have in common.
public struct ModelRequest<Model: MappedModel>: StoreRequest, Hashable {
  /// The request by the names of keys.
  public var rows: RowRequest

  /// Makes a request for all models.
  public init() { rows = RowRequest(Model.mapping.name) }

  /// The keys of a row.
  public static func keys(of row: KeyName) -> ModelKeys<Model> { ModelKeys(row) }

  /// The conditions, all of which hold for the models that are fetched.
  public var filter: Filter { rows.filter }

  /// The orderings, the first weighing most.
  public var orderings: [Ordering] { rows.orderings }

  /// How many models to fetch at most, or nil for all.
  public var limit: Int? { rows.limit }

  /// How many models to leave out at the beginning.
  public var offset: Int { rows.offset }

  /// How many models are read at a time where they are read in batches.
  public var batchSize: Int { rows.batchSize }

  /// The request with a further ordering, which weighs less than those before.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - direction: Which values come first.
  ///   - nils: Where models without a value stand; see ``Ordering``.
  ///   - options: The differences between texts to ignore.
  public func order<Value>(
    by keyPath: KeyPath<Model, Value>, _ direction: Ordering.Direction = .ascending,
    nils: Ordering.NilPosition? = nil, options: TextMatch.Options = []
  ) -> Self {
    let key = KeyName(keyPath, of: Model.self)
    return order(by: Ordering(.key(key), direction, nils: nils, options: options))
  }

  /// The value that a closure makes of the keys of a row.
  package static func operand<Value: RequestOperand>(
    _ value: (ModelKeys<Model>) -> Value
  ) -> Operand {
    .scoped { value(keys(of: $0)).operand }
  }
}
