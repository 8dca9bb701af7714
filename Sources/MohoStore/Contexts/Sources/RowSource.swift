import MohoMapping

/// Where a context reads rows from: a store, or the context that it is a child
/// of.
protocol RowSource: AnyObject {
  /// The rows of a request, in its order.
  func fetch(_ request: RowRequest) throws -> [FetchedRow]

  /// The rows of identities that are there, in no particular order.
  func rows(of entity: EntityLayout, _ identities: [RowIdentity]) throws -> [FetchedRow]

  /// The rows at the other end of a relationship that is no column, by the
  /// identities of those at this end, in their order; absent where there are
  /// none.
  func members(
    by relationship: RelationshipLayout, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]]

  /// The rows whose values of some keys are one of several.
  func rows(of entity: EntityLayout, with keys: [UniquePart], in values: [UniqueValues]) throws
    -> [FetchedRow]
}

/// A row as it was read.
struct FetchedRow: Sendable {
  let identity: RowIdentity
  let attributes: [FieldContent]
  /// The rows that the links in the row's columns lead to, by slot.
  let targets: [RowIdentity?]
}

/// A row at the other end of a relationship.
struct FetchedMember: Sendable {
  let row: FetchedRow
  /// Its position in the order, if it has one.
  let position: Int64?
}

/// A key that is part of a unique key.
enum UniquePart: Hashable, Sendable {
  case attribute(Int)
  case slot(Int)
}

/// The values of a unique key's parts.
struct UniqueValues: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    case content(ExactContent)
    case row(RowIdentity)
  }

  let values: [Value]
}

extension EntityLayout {
  /// The parts of a unique key.
  func parts(of keys: [String]) -> [UniquePart] {
    keys.compactMap { key in
      attribute(key).map { .attribute($0) } ?? relationship(key)?.slot.map { .slot($0) }
    }
  }
}

extension FetchedRow {
  /// The values of a unique key, or nil where one is null: it equals no other.
  func values(of parts: [UniquePart]) -> UniqueValues? {
    var values: [UniqueValues.Value] = []
    for part in parts {
      switch part {
      case .attribute(let index):
        if attributes[index] == .null { return nil }
        values.append(.content(ExactContent(attributes[index])))
      case .slot(let slot):
        guard let target = targets[slot] else { return nil }
        values.append(.row(target))
      }
    }
    return UniqueValues(values: values)
  }
}
