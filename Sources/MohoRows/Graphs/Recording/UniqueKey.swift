package import MohoMapping

/// The value of a unique key, equal to another if a database takes both for the
/// same value: texts by their bytes.
package struct UniqueKey: Hashable, Sendable {
  /// The value of one attribute or link that is part of the key.
  package enum Part: Hashable, Sendable {
    case content(ExactContent)
    case row(RowIdentity)
  }

  private let first: Part
  // A separate property, so that keys of one part allocate nothing.
  private let rest: [Part]

  package var parts: [Part] { [first] + rest }

  /// The key of an attribute, or nil if the value is null, which equals no other
  /// value.
  package init?(_ content: FieldContent) {
    switch content {
    case .null: return nil
    case .uint64(let value):
      first = .content(ExactContent(Int64(exactly: value).map { .int64($0) } ?? content))
    // Negative zero is equal.
    case .double(0): first = .content(ExactContent(.double(0)))
    default: first = .content(ExactContent(content))
    }
    rest = []
  }

  /// The value of the key if it is an attribute.
  var content: FieldContent {
    switch first {
    case .content(let value): value.content
    case .row(let identity): .string("\(identity)")
    }
  }
}

/// An attribute or a link column that is part of a unique key.
package enum UniqueKeyColumn: Hashable, Sendable {
  case attribute(Int)
  case slot(Int)
}

extension UniqueKey {
  /// The key of a row, or nil if one of its parts is null.
  init?(_ row: FetchedRow, _ columns: [UniqueKeyColumn]) {
    var parts: [Part] = []
    for column in columns {
      switch column {
      case .attribute(let index):
        guard let key = UniqueKey(row.attributes[index]) else { return nil }
        parts.append(key.first)
      case .slot(let slot):
        guard let target = row.targets[slot] else { return nil }
        parts.append(.row(target))
      }
    }
    guard let first = parts.first else { return nil }
    self.first = first
    rest = Array(parts.dropFirst())
  }
}

extension CompiledEntity {
  /// The columns of a unique key.
  func columns(ofUniqueKey keys: [String]) -> [UniqueKeyColumn] {
    keys.compactMap { key in
      attribute(key).map { .attribute($0) } ?? relationship(key)?.slot.map { .slot($0) }
    }
  }
}
