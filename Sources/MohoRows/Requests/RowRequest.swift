/// A request for the rows of an entity, with conditions and a sort order that
/// refer to keys by name.
///
/// ```swift
/// let urgent = RowRequest("Task")
///   .filter { $0["priority"] > 3 && $0["list"]["name"] == "Work" }
///   .order(by: "due")
/// ```
public struct RowRequest: StoreRequest, Hashable {
  /// The name of the entity.
  public let entity: String

  /// The condition that fetched rows satisfy. It joins all conditions of the
  /// request.
  public internal(set) var filter = Filter.always

  /// The orderings. Later orderings apply to rows that earlier ones consider
  /// equal.
  public internal(set) var orderings: [Ordering] = []

  /// The maximum number of rows to fetch, or nil for all rows.
  public internal(set) var limit: Int?

  /// The number of rows to skip at the beginning.
  public internal(set) var offset = 0

  /// The limit for the rows of each group, or nil without groups.
  package internal(set) var groupLimit: GroupLimit?

  /// The number of rows per batch, for methods that read in batches.
  public internal(set) var batchSize = 50

  /// A Boolean value indicating whether equal values are fetched only once.
  public internal(set) var isDistinct = false

  /// Creates a request for all rows of an entity.
  public init(_ entity: String) { self.entity = entity }

  /// The request itself.
  public var rows: RowRequest {
    get { self }
    set { self = newValue }
  }

  /// Returns the keys of a row.
  public static func keys(of row: KeyName) -> RowKeys { RowKeys(row) }

  /// Returns the request with an additional ordering, which applies to rows
  /// that the existing orderings consider equal.
  ///
  /// - Parameters:
  ///   - key: The name of the key to sort by.
  ///   - direction: The sort direction.
  ///   - nils: The position of rows without a value. See ``Ordering``.
  ///   - options: The differences between texts to ignore.
  ///   - collation: The order of texts, such as ``TextCollation/localizedStandard``.
  ///     By default, texts are sorted by their UTF-8 bytes.
  public func order(
    by key: String, _ direction: Ordering.Direction = .ascending,
    nils: Ordering.NilPosition? = nil, options: TextMatch.Options = [],
    collation: TextCollation? = nil
  ) -> Self {
    let key = Operand.key(KeyName([key]))
    return order(
      by: Ordering(key, direction, nils: nils, options: options, collation: collation))
  }

  /// The request without an order.
  package var unordered: RowRequest {
    var request = self
    request.orderings = []
    return request
  }

  /// Whether the request may leave out rows that meet its conditions.
  package var isPaged: Bool { limit != nil || offset > 0 || groupLimit?.count != nil }
}
