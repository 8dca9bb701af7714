public import MohoMapping

/// Which models to fetch, and in which order.
///
/// A request is a value: each method returns a new one.
///
/// ```swift
/// let request = ModelRequest<Episode>()
///   .filter { $0.title.contains("swift", [.caseInsensitive, .diacriticInsensitive]) }
///   .order(by: \.publishedAt, .descending)
///   .limit(50)
/// ```
///
/// Rows that the orderings leave equal are ordered by their identity, so that
/// the order is the same each time. In an ascending order, nil comes first.
/// Values are ordered as the store holds them: texts by their UTF-8 bytes,
/// enums by their raw values, false before true.
public struct ModelRequest<Model: MappedModel>: Sendable {
  /// The conditions, all of which hold for the models that are fetched.
  public private(set) var filter: Filter = .and([])

  /// The orderings, the first weighing most.
  public private(set) var orderings: [Ordering] = []

  /// How many models to fetch at most, or nil for all.
  public private(set) var limit: Int?

  /// How many models to leave out at the beginning.
  public private(set) var offset = 0

  /// How many models are read at a time where they are read in batches.
  public private(set) var batchSize = 50

  /// Makes a request for all models.
  public init() {}

  /// The request for those of its models that meet a further condition.
  ///
  /// Values are always bound to the statement, never spelled into it.
  public func filter(_ condition: (ModelKeys<Model>) -> Filter) -> Self {
    var request = self
    request.filter = request.filter && condition(ModelKeys())
    return request
  }

  /// The request with a further ordering, which weighs less than those before.
  public func order<Value>(
    by keyPath: KeyPath<Model, Value>, _ direction: Ordering.Direction = .ascending
  ) -> Self {
    var request = self
    request.orderings.append(Ordering(key: KeyName(keyPath, of: Model.self), direction: direction))
    return request
  }

  /// The request for at most this many models.
  public func limit(_ limit: Int?) -> Self {
    var request = self
    request.limit = limit
    return request
  }

  /// The request without this many models at the beginning.
  public func offset(_ offset: Int) -> Self {
    var request = self
    request.offset = offset
    return request
  }

  /// The request whose models are read this many at a time.
  public func batchSize(_ batchSize: Int) -> Self {
    var request = self
    request.batchSize = batchSize
    return request
  }
}

/// How a request orders models by one key.
public struct Ordering: Sendable, Hashable {
  /// Which values come first.
  public enum Direction: Sendable, Hashable {
    /// Small values first, nil before all.
    case ascending
    /// Great values first, nil after all.
    case descending
  }

  /// The key.
  public let key: KeyName
  /// Which values come first.
  public let direction: Direction
}

/// A key of a model, as requests name it.
public struct KeyName: Sendable, Hashable, CustomStringConvertible {
  /// The name of the key, or the property that is no stored key of the model,
  /// in which case a request with it throws.
  public let description: String
  let isStored: Bool

  package init<Model: MappedModel>(_ keyPath: PartialKeyPath<Model>, of model: Model.Type) {
    let key = Model.mapping.key(for: keyPath)
    isStored = key.map { !$0.isTransient } ?? false
    description = isStored ? key?.name ?? "" : "\(keyPath)"
  }
}
