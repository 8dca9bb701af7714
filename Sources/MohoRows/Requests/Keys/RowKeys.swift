public import MohoMapping

/// The keys of an entity, accessed by name, for the conditions of a request.
public struct RowKeys: Sendable {
  /// The path of the row that has the keys.
  let row: KeyName

  init(_ row: KeyName) { self.row = row }

  /// The key with a name. Executing the request checks that the key exists and
  /// that its type fits.
  public subscript(_ name: String) -> RowKey { RowKey(.key(row.appending(name))) }

  /// A filter that matches the row with an identity.
  public func isRow(identity: Int64) -> Filter { .row(row, .identity(identity)) }
}

/// A key of an entity in a request, or a value that is calculated from keys.
///
/// ```swift
/// RowRequest("Task").filter { $0["priority"] > 3 && $0["list"]["name"].hasPrefix("W") }
/// ```
public struct RowKey: RequestOperand {
  /// The key or the calculation as an operand.
  public let operand: Operand

  init(_ operand: Operand) { self.operand = operand }

  private var name: KeyName {
    if case .key(let name) = operand.kind { return name }
    return .calculated(operand)
  }

  /// A key of the row that a to-one relationship refers to, or of a nested model.
  /// Its value is nil if there is no related row, or if the nested model is nil.
  public subscript(_ name: String) -> RowKey { RowKey(.key(self.name.appending(name))) }

  /// A filter that matches rows that are related to the row with an identity.
  public func isRow(identity: Int64) -> Filter { .row(name, .identity(identity)) }

  /// A filter that matches rows that are related to the row whose unique
  /// attribute has a value.
  public func isRow(_ key: some FieldValue) -> Filter {
    switch Operand.value(key).kind {
    case .constant(let content): .row(name, .uniqueKey(content))
    case .invalid(let reason): .invalid(reason)
    case .key, .arithmetic, .indexLetter, .count, .filtered, .search: .never
    }
  }

  /// A filter that matches rows where the key equals one of several values.
  public func isOne<Value: FieldValue>(of values: some Sequence<Value>) -> Filter {
    do {
      return .oneOf(operand, try values.map { try FieldRecorder.content(of: $0) })
    } catch {
      return .invalid("\(error)")
    }
  }

  /// A filter that matches rows where the key is in a range.
  public func isBetween<Value: FieldValue>(_ range: ClosedRange<Value>) -> Filter {
    self >= range.lowerBound && self <= range.upperBound
  }

  /// A filter that matches rows where the key is in a half-open range.
  public func isBetween<Value: FieldValue>(_ range: Range<Value>) -> Filter {
    self >= range.lowerBound && self < range.upperBound
  }

  /// A filter that matches rows where at least one related row satisfies a
  /// condition.
  public func any(_ condition: (RowKeys) -> Filter) -> Filter {
    .related(name, .any, .scoped { condition(RowKeys($0)) })
  }

  /// A filter that matches rows where all related rows satisfy a condition.
  /// Rows without related rows match.
  public func all(_ condition: (RowKeys) -> Filter) -> Filter {
    .related(name, .all, .scoped { condition(RowKeys($0)) })
  }

  /// A filter that matches rows where no related row satisfies a condition.
  public func none(_ condition: (RowKeys) -> Filter) -> Filter {
    .related(name, .none, .scoped { condition(RowKeys($0)) })
  }

  /// A filter that matches rows without related rows.
  public var isEmpty: Filter { none { _ in .always } }

  /// The number of related rows.
  public var count: RowKey { RowKey(.count(name, .always)) }

  /// The number of related rows that satisfy a condition.
  public func count(where condition: (RowKeys) -> Filter) -> RowKey {
    RowKey(.count(name, .scoped { condition(RowKeys($0)) }))
  }
}
