package import MohoMapping

/// The value of a unique key. Two keys are equal if a database considers their
/// values equal. Texts are compared by their bytes.
package struct UniqueKey: Hashable, Sendable {
  /// The value of one attribute or link that is part of the key.
  package enum Part: Hashable, Sendable {
    case content(FieldContent)
    case row(RowIdentity)
  }

  private let first: Part
  // The other parts are in a separate property, so that a key with one part
  // does not allocate memory.
  private let rest: [Part]

  package var parts: [Part] { [first] + rest }

  /// Creates the key for an attribute, or for an identity of several values.
  /// Returns nil if a value is null, because null is not equal to any other
  /// value.
  package init?(_ content: FieldContent) {
    guard case .array = content else {
      guard let part = Part(content) else { return nil }
      self.init(part)
      return
    }
    var first: Part?
    var rest: [Part] = []
    var isNull = false
    content.forEachIdentityPart { content in
      guard let part = Part(content) else { return isNull = true }
      if first == nil { first = part } else { rest.append(part) }
    }
    guard let first, !isNull else { return nil }
    self.init(first, rest)
  }

  private init(_ first: Part, _ rest: [Part] = []) {
    self.first = first
    self.rest = rest
  }

  /// Creates the key of several parts. Returns nil if a part is nil, or if there
  /// are no parts.
  init?(_ parts: [Part?]) {
    let known = parts.compactMap { $0 }
    guard let first = known.first, known.count == parts.count else { return nil }
    self.first = first
    rest = Array(known.dropFirst())
  }

  /// The value of the key: a single value, or an array.
  var content: FieldContent {
    rest.isEmpty ? first.content : .array(parts.map(\.content))
  }
}

extension UniqueKey.Part {
  /// Creates the part for a value. Returns nil if the value is null.
  init?(_ content: FieldContent) {
    switch content {
    case .null: return nil
    case .uint64(let value):
      self = .content(Int64(exactly: value).map { .int64($0) } ?? content)
    default: self = .content(content)
    }
  }

  /// The value of the part. A row is described by its identity.
  var content: FieldContent {
    switch self {
    case .content(let value): value
    case .row(let identity): .string("\(identity)")
    }
  }
}

extension FieldContent {
  /// Calls a closure with the single values of an identity, including those of
  /// related models.
  package func forEachIdentityPart(_ body: (FieldContent) throws -> Void) rethrows {
    guard case .array(let parts) = self else { return try body(self) }
    for part in parts { try part.forEachIdentityPart(body) }
  }
}

/// An attribute or a link column that is part of a unique key.
package enum UniqueKeyColumn: Hashable, Sendable {
  case attribute(Int)
  case slot(Int)

  /// Returns the name of the column.
  package func name(in entity: CompiledEntity) -> String {
    switch self {
    case .attribute(let index): entity.attributes[index].name
    case .slot(let slot): entity.linkColumns[slot].name
    }
  }
}

extension UniqueKey {
  /// Creates the key of a row. Returns nil if one of its parts is null.
  init?(_ row: FetchedRow, _ columns: [UniqueKeyColumn]) {
    var parts: [Part] = []
    for column in columns {
      switch column {
      case .attribute(let index):
        guard let part = Part(row.attributes[index]) else { return nil }
        parts.append(part)
      case .slot(let slot):
        guard let target = row.targets[slot] else { return nil }
        parts.append(.row(target))
      }
    }
    self.init(parts)
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

extension UniqueKey {
  /// Whether a stored row can have the key. A key with a link to an unsaved row
  /// cannot be stored.
  package var mayBeStored: Bool {
    parts.allSatisfy { part in
      if case .row(let identity) = part { !identity.isTemporary } else { true }
    }
  }
}

extension UniqueKey.Part {
  /// The value in the form that the column stores.
  package var storedContent: FieldContent {
    switch self {
    case .content(let value): value
    case .row(let identity): .int64(identity.stored ?? 0)
    }
  }
}
