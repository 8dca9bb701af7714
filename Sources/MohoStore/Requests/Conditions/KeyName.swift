package import MohoMapping

/// A key as requests name it: an attribute or a relationship of a row, or of
/// the row at the end of relationships to one.
///
/// The path of no names is the row itself.
public struct KeyName: Sendable, Hashable, CustomStringConvertible {
  /// Names of relationships to one, and the name of a key at last.
  public let path: [String]

  /// The row that the path begins at.
  var scope: KeyScope

  /// Whether the mapping has a stored key of the property; one without makes a
  /// request throw.
  let isStored: Bool

  /// Names a key by its path from the row of the innermost closure.
  public init(_ path: [String]) {
    self.init(path, scope: .level(0))
  }

  init(_ path: [String], scope: KeyScope, isStored: Bool = true) {
    self.path = path
    self.scope = scope
    self.isStored = isStored
  }

  package init<Model: MappedModel>(_ keyPath: PartialKeyPath<Model>, of model: Model.Type) {
    self = KeyName([]).appending(keyPath, of: model)
  }

  /// How many names a path has at most: SQLite joins no more than 64 tables.
  static let maximumLength = 63

  /// The path from the same row, with one further step.
  func appending(_ name: String) -> KeyName {
    // A longer one is refused anyway.
    guard path.count <= Self.maximumLength else { return self }
    return KeyName(path + [name], scope: scope, isStored: isStored)
  }

  /// The path with the key of a property.
  func appending<Model: MappedModel>(
    _ keyPath: PartialKeyPath<Model>, of model: Model.Type
  ) -> KeyName {
    guard let key = Model.mapping.key(for: keyPath), key.isStored else {
      return KeyName(path + ["\(keyPath)"], scope: scope, isStored: false)
    }
    return appending(key.name)
  }

  /// The names, joined by dots; dots in names are escaped.
  public var description: String {
    isStored ? FieldPath(path.map { .key($0) }).description : path.last ?? ""
  }
}

/// The row that a key's path begins at.
enum KeyScope: Sendable, Hashable {
  /// A row that a condition is about: 0 of the innermost quantifier around the
  /// key, or the request's own where there is none, 1 of the next further out.
  case level(Int)
  /// The row of a closure that has not returned yet: how many quantifiers will
  /// stand between is known once it has.
  case open(OpenScope)
}

/// A closure that makes a condition, while it runs.
final class OpenScope: Sendable, Hashable {
  static func == (one: OpenScope, other: OpenScope) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
