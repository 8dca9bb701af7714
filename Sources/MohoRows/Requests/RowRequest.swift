/// Which rows of an entity to fetch, and in which order, by the names of keys.
///
/// ```swift
/// let urgent = RowRequest("Task")
///   .filter { $0["priority"] > 3 && $0["list"]["name"] == "Work" }
///   .order(by: "due")
/// ```
public struct RowRequest: StoreRequest, Hashable {
  /// The name of the entity.
  public let entity: String

  /// The conditions, all of which hold for the rows that are fetched.
  public internal(set) var filter = Filter.always

  /// The orderings, the first weighing most.
  public internal(set) var orderings: [Ordering] = []

  /// How many rows to fetch at most, or nil for all.
  public internal(set) var limit: Int?

  /// How many rows to leave out at the beginning.
  public internal(set) var offset = 0

  /// How many rows are read at a time where they are read in batches.
  public internal(set) var batchSize = 50

  /// Whether equal values are fetched once only.
  public internal(set) var isDistinct = false

  /// Makes a request for all rows of an entity.
  public init(_ entity: String) { self.entity = entity }

  /// The request itself.
  public var rows: RowRequest {
    get { self }
    set { self = newValue }
  }

  /// The keys of a row.
  public static func keys(of row: KeyName) -> RowKeys { RowKeys(row) }

  /// The request with a further ordering, which weighs less than those before.
  ///
  /// - Parameters:
  ///   - key: The name of the key.
  ///   - direction: Which values come first.
  ///   - nils: Where rows without a value stand; see ``Ordering``.
  ///   - options: The differences between texts to ignore.
  public func order(
    by key: String, _ direction: Ordering.Direction = .ascending,
    nils: Ordering.NilPosition? = nil, options: TextMatch.Options = []
  ) -> Self {
    order(by: Ordering(.key(KeyName([key])), direction, nils: nils, options: options))
  }
}
