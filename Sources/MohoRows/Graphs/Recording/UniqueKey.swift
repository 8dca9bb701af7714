package import MohoMapping

/// The value of a unique key. Two keys are equal if a database considers their
/// values equal. Texts are compared by their bytes.
package struct UniqueKey: Hashable, Sendable {
  /// The value of one attribute or link that is part of the key.
  package enum Part: Hashable, Sendable {
    case content(ExactContent)
    case row(RowIdentity)
  }

  private let first: Part
  // The other parts are in a separate property, so that a key with one part
  // does not allocate memory.
  private let rest: [Part]

  package var parts: [Part] { [first] + rest }

  /// Creates the key for an attribute. Returns nil if the value is null,
  /// because null is not equal to any other value.
  package init?(_ content: FieldContent) {
    switch content {
    case .null: return nil
    case .uint64(let value):
      first = .content(ExactContent(Int64(exactly: value).map { .int64($0) } ?? content))
    // Zero and negative zero are equal.
    case .double(0): first = .content(ExactContent(.double(0)))
    default: first = .content(ExactContent(content))
    }
    rest = []
  }

  /// The value of the attribute, if the key is an attribute.
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
  /// Creates the key of a row. Returns nil if one of its parts is null.
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
  /// Returns the columns of a unique key.
  func columns(ofUniqueKey keys: [String]) -> [UniqueKeyColumn] {
    keys.compactMap { key in
      attribute(key).map { .attribute($0) } ?? relationship(key)?.slot.map { .slot($0) }
    }
  }
}
