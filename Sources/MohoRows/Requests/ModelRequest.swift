public import MohoMapping

/// A request for models, with conditions and a sort order.
///
/// A request is a value. Each method returns a new request.
///
/// ```swift
/// let request = ModelRequest<Episode>()
///   .filter { $0.title.contains("swift", [.caseInsensitive, .diacriticInsensitive]) }
///   .filter { $0.podcast.isActive == true && $0.publishedAt > .now - 7 * 86_400 }
///   .order(by: \.publishedAt, .descending)
///   .limit(50)
/// ```
///
/// ``StoreRequest`` describes the methods of all requests.
public struct ModelRequest<Model: MappedModel>: StoreRequest, Hashable {
  /// The request in terms of key names.
  public var rows: RowRequest

  /// Creates a request for all models.
  public init() { rows = RowRequest(Model.mapping.name) }

  /// Returns the keys of a row.
  public static func keys(of row: KeyName) -> ModelKeys<Model> { ModelKeys(row) }

  /// The condition that fetched models satisfy. It joins all conditions of the
  /// request.
  public var filter: Filter { rows.filter }

  /// The orderings. Later orderings apply to models that earlier ones consider
  /// equal.
  public var orderings: [Ordering] { rows.orderings }

  /// The maximum number of models to fetch, or nil for all models.
  public var limit: Int? { rows.limit }

  /// The number of models to skip at the beginning.
  public var offset: Int { rows.offset }

  /// The number of models per batch, for methods that read in batches.
  public var batchSize: Int { rows.batchSize }

  /// Returns the request with an additional ordering, which applies to models
  /// that the existing orderings consider equal.
  ///
  /// - Parameters:
  ///   - keyPath: The property to sort by.
  ///   - direction: The sort direction.
  ///   - nils: The position of models without a value. See ``Ordering``.
  ///   - options: The differences between texts to ignore.
  ///   - collation: The order of texts, such as ``TextCollation/localizedStandard``.
  ///     By default, texts are sorted by their UTF-8 bytes.
  public func order<Value>(
    by keyPath: KeyPath<Model, Value>, _ direction: Ordering.Direction = .ascending,
    nils: Ordering.NilPosition? = nil, options: TextMatch.Options = [],
    collation: TextCollation? = nil
  ) -> Self {
    let key = KeyName(keyPath, of: Model.self)
    return order(
      by: Ordering(.key(key), direction, nils: nils, options: options, collation: collation))
  }

  /// Returns the operand that a closure creates from the keys of a row.
  package static func operand(_ value: (ModelKeys<Model>) -> any RequestOperand) -> Operand {
    .scoped { value(keys(of: $0)).operand }
  }
}
