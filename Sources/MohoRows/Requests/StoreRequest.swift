/// A request for rows, with conditions and a sort order: a ``ModelRequest`` or
/// a ``RowRequest``.
///
/// A request is a value. Each method returns a new request.
///
/// Rows that the orderings consider equal are sorted by identity, in the
/// direction of the last ordering. Therefore, the order is always the same, and
/// an index on the sorted keys can produce it in both directions. Nil comes
/// first in an ascending order. Values are sorted in their stored form: texts
/// by their UTF-8 bytes, enums by their raw values, false before true. The
/// `options` and the `collation` of an ordering sort texts in other ways.
public protocol StoreRequest: Sendable {
  /// The type that provides keys to conditions.
  associatedtype Keys

  /// The request in terms of key names.
  var rows: RowRequest { get set }

  /// Returns the keys of a row.
  static func keys(of row: KeyName) -> Keys
}

extension StoreRequest {
  /// Returns the request with an additional condition, which all of its rows
  /// satisfy.
  ///
  /// Values are always bound to the statement and never inserted into its text.
  public func filter(_ condition: (Keys) -> Filter) -> Self {
    setting { $0.filter = $0.filter && .scoped { condition(Self.keys(of: $0)) } }
  }

  /// Returns the request with an additional ordering by a value that a closure
  /// creates from the keys of a row. The ordering applies to rows that the
  /// existing orderings consider equal.
  ///
  /// ```swift
  /// request.order(.descending) { $0.chapters.count }.order { $0.podcast.title }
  /// ```
  public func order<Value: RequestOperand>(
    _ direction: Ordering.Direction = .ascending, nils: Ordering.NilPosition? = nil,
    options: TextMatch.Options = [], collation: TextCollation? = nil, by value: (Keys) -> Value
  ) -> Self {
    let operand = Operand.scoped { value(Self.keys(of: $0)).operand }
    return order(
      by: Ordering(operand, direction, nils: nils, options: options, collation: collation))
  }

  /// Returns the request with an additional ordering, which applies to rows
  /// that the existing orderings consider equal.
  public func order(by ordering: Ordering) -> Self { setting { $0.orderings.append(ordering) } }

  /// Returns the request with a maximum number of rows, or without one if the
  /// limit is nil.
  public func limit(_ limit: Int?) -> Self { setting { $0.limit = limit } }

  /// Returns the request without the given number of rows at the beginning.
  public func offset(_ offset: Int) -> Self { setting { $0.offset = offset } }

  /// Returns the request with a number of rows per batch.
  public func batchSize(_ batchSize: Int) -> Self { setting { $0.batchSize = batchSize } }

  /// Returns the request that fetches equal values only once, or that fetches
  /// all values. Has no effect on requests for rows.
  public func distinct(_ isDistinct: Bool = true) -> Self { setting { $0.isDistinct = isDistinct } }

  /// The request with all rows that meet the conditions: without a limit, an offset and a
  /// limit for groups.
  package var unpaged: Self {
    setting { request in
      (request.limit, request.offset) = (nil, 0)
      request.groupLimit?.count = nil
    }
  }

  private func setting(_ change: (inout RowRequest) -> Void) -> Self {
    var request = self
    change(&request.rows)
    return request
  }
}
