public import MohoMapping

/// The keys of an entity, by their names, for the conditions of a request.
public struct RowKeys: Sendable {
  /// The row that has the keys.
  let row: KeyName

  init(_ row: KeyName) { self.row = row }

  /// The key of a name. That there is one, and what it holds, is looked at when
  /// the request is carried out.
  public subscript(_ name: String) -> RowKey { RowKey(.key(row.appending(name))) }

  /// Whether the row has an identity.
  public func isRow(identity: Int64) -> Filter { .row(row, .identity(identity)) }
}

/// A key of an entity in a request, or a value that is calculated from keys.
///
/// ```swift
/// RowRequest("Task").filter { $0["priority"] > 3 && $0["list"]["name"].hasPrefix("W") }
/// ```
public struct RowKey: RequestOperand {
  /// The key, or the calculation.
  public let operand: Operand

  init(_ operand: Operand) { self.operand = operand }

  private var name: KeyName {
    if case .key(let name) = operand.kind { return name }
    return KeyName(["\(operand)"], scope: .level(0), isStored: false)
  }

  /// A key of the row that a relationship to one leads to; nil where it leads
  /// to none.
  public subscript(_ name: String) -> RowKey { RowKey(.key(self.name.appending(name))) }

  /// Whether the relationship leads to the row that has an identity.
  public func isRow(identity: Int64) -> Filter { .row(name, .identity(identity)) }

  /// Whether the relationship leads to the row whose unique attribute has a
  /// value.
  public func isRow(_ key: some FieldValue) -> Filter {
    switch Operand.value(key).kind {
    case .constant(let content): .row(name, .uniqueKey(content))
    case .invalid(let reason): .invalid(reason)
    case .key, .arithmetic, .count: .never
    }
  }

  /// Whether the key's value is one of several.
  public func isOne<Value: FieldValue>(of values: some Sequence<Value>) -> Filter {
    do {
      return .oneOf(operand, try values.map { try FieldRecorder.content(of: $0) })
    } catch {
      return .invalid("\(error)")
    }
  }

  /// Whether the key's value lies in a range.
  public func isBetween<Value: FieldValue>(_ range: ClosedRange<Value>) -> Filter {
    self >= range.lowerBound && self <= range.upperBound
  }

  /// Whether the key's value lies in a range, whose upper bound is not part of
  /// it.
  public func isBetween<Value: FieldValue>(_ range: Range<Value>) -> Filter {
    self >= range.lowerBound && self < range.upperBound
  }

  /// Whether at least one of the related rows meets a condition.
  public func any(_ condition: (RowKeys) -> Filter) -> Filter {
    .related(name, .any, .scoped { condition(RowKeys($0)) })
  }

  /// Whether each of the related rows meets a condition; so it is where there
  /// are none.
  public func all(_ condition: (RowKeys) -> Filter) -> Filter {
    .related(name, .all, .scoped { condition(RowKeys($0)) })
  }

  /// Whether none of the related rows meets a condition.
  public func none(_ condition: (RowKeys) -> Filter) -> Filter {
    .related(name, .none, .scoped { condition(RowKeys($0)) })
  }

  /// The number of related rows.
  public var count: RowKey { RowKey(.count(name, .always)) }

  /// The number of those related rows that meet a condition.
  public func count(where condition: (RowKeys) -> Filter) -> RowKey {
    RowKey(.count(name, .scoped { condition(RowKeys($0)) }))
  }
}
