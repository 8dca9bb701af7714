/// Which rows to fetch, and in which order: a ``ModelRequest`` or a
/// ``RowRequest``.
///
/// A request is a value: each method returns a new one.
///
/// Rows that the orderings leave equal are ordered by their identity, in the
/// direction of the last ordering: the order is the same each time, and an index
/// on what is ordered by has it in both directions. In an ascending order, nil
/// comes first.
/// Values are ordered as the store holds them: texts by their UTF-8 bytes,
/// enums by their raw values, false before true.
public protocol StoreRequest: Sendable {
  /// The keys in conditions.
  associatedtype Keys

  /// What the request says, whatever the type of its keys.
  var rows: RowRequest { get set }

  /// The keys of a row.
  static func keys(of row: KeyName) -> Keys
}

extension StoreRequest {
  /// The request for those of its rows that meet a further condition.
  ///
  /// Values are always bound to the statement, never spelled into it.
  public func filter(_ condition: (Keys) -> Filter) -> Self {
    setting { $0.filter = $0.filter && .scoped { condition(Self.keys(of: $0)) } }
  }

  /// The request with a further ordering, which weighs less than those before,
  /// by a value that is made of keys.
  ///
  /// ```swift
  /// request.order(.descending) { $0.chapters.count }.order { $0.podcast.title }
  /// ```
  public func order<Value: RequestOperand>(
    _ direction: Ordering.Direction = .ascending, nils: Ordering.NilPosition? = nil,
    options: TextMatch.Options = [], by value: (Keys) -> Value
  ) -> Self {
    let operand = Operand.scoped { value(Self.keys(of: $0)).operand }
    return order(by: Ordering(operand, direction, nils: nils, options: options))
  }

  /// The request with a further ordering, which weighs less than those before.
  public func order(by ordering: Ordering) -> Self { setting { $0.orderings.append(ordering) } }

  /// The request for at most this many rows.
  public func limit(_ limit: Int?) -> Self { setting { $0.limit = limit } }

  /// The request without this many rows at the beginning.
  public func offset(_ offset: Int) -> Self { setting { $0.offset = offset } }

  /// The request whose rows are read this many at a time.
  public func batchSize(_ batchSize: Int) -> Self { setting { $0.batchSize = batchSize } }

  /// The request that has equal values once only, where values are fetched and
  /// not rows.
  public func distinct(_ isDistinct: Bool = true) -> Self { setting { $0.isDistinct = isDistinct } }

  private func setting(_ change: (inout RowRequest) -> Void) -> Self {
    var request = self
    change(&request.rows)
    return request
  }
}
