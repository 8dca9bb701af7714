package import MohoMapping

/// The path of a key in a request.
///
/// The path leads through zero or more to-one relationships to an attribute or
/// a relationship. An empty path refers to the row itself.
public struct KeyName: Sendable, Hashable, CustomStringConvertible {
  /// The names of the to-one relationships, followed by the name of the key.
  public let path: [String]

  /// The row where the path starts.
  var scope: KeyScope

  /// A Boolean value indicating whether the mapping stores the property. A
  /// request with a key that is not stored throws.
  let isStored: Bool

  /// Creates a path that starts at the row of the innermost closure.
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

  /// The maximum number of names in a path. SQLite joins at most 64 tables.
  static let maximumLength = 63

  /// Returns the path with one more name.
  func appending(_ name: String) -> KeyName {
    // The resolver rejects the path at this length. Longer paths only cost
    // memory.
    guard path.count <= Self.maximumLength else { return self }
    return KeyName(path + [name], scope: scope, isStored: isStored)
  }

  /// Returns the path with the key of a property.
  func appending<Model: MappedModel>(
    _ keyPath: PartialKeyPath<Model>, of model: Model.Type
  ) -> KeyName {
    guard let key = Model.mapping.key(for: keyPath), key.isStored else {
      return KeyName(path + ["\(keyPath)"], scope: scope, isStored: false)
    }
    return appending(key.name)
  }

  /// The names joined by dots. Dots inside names are escaped.
  public var description: String {
    isStored ? FieldPath(path.map { .key($0) }).description : path.last ?? ""
  }
}

/// The row where a key path starts.
enum KeyScope: Sendable, Hashable {
  /// The row of an enclosing condition: 0 for the innermost quantifier around
  /// the key, or for the row of the request if there is no quantifier, 1 for
  /// the next quantifier outward, and so on.
  case level(Int)
  /// The row of a closure that is still running. Its level is known after the
  /// closure has returned.
  case open(OpenScope)
}

/// The identity of a running closure that builds a condition.
final class OpenScope: Sendable, Hashable {
  static func == (one: OpenScope, other: OpenScope) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
