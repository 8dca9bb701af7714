package import MohoMapping

/// The path of a key in a request.
///
/// The path leads through zero or more to-one relationships to an attribute, to
/// a key of a model that is nested in an attribute, or to a relationship. An
/// empty path refers to the row itself.
public struct KeyName: Sendable, Hashable, CustomStringConvertible {
  /// The names of the to-one relationships, followed by the name of the key. The
  /// name of a key of a nested model follows the names of the keys around it.
  public let path: [String]

  /// The row where the path starts.
  var scope: KeyScope

  /// Why the path does not refer to a stored key, or nil if it may. A request
  /// with such a path throws.
  let problem: String?

  /// The nested model to which the names after its key belong, if the path was
  /// created from properties. Entities that are declared by hand have no
  /// models.
  private(set) var nestedModel = NestedModel.unknown

  /// Creates a path that starts at the row of the innermost closure.
  public init(_ path: [String]) {
    self.init(path, scope: .level(0))
  }

  init(_ path: [String], scope: KeyScope, problem: String? = nil) {
    self.path = path
    self.scope = scope
    self.problem = problem
  }

  /// The path of a calculated value, which requests reject.
  static func calculated(_ operand: Operand) -> KeyName {
    KeyName(
      ["\(operand)"], scope: .level(0),
      problem: "`\(operand)` is a calculated value, and not a key of a row")
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
    var longer = KeyName(path + [name], scope: scope, problem: problem)
    longer.nestedModel = nestedModel
    return longer
  }

  /// Returns the path with the key of a property.
  func appending<Model: MappedModel>(
    _ keyPath: PartialKeyPath<Model>, of model: Model.Type
  ) -> KeyName {
    let mapping = Model.mapping
    guard let index = mapping.index(of: keyPath), mapping.keys[index].isStored else {
      return KeyName(
        path + [mapping.shown(keyPath)], scope: scope,
        problem: problem ?? mapping.requestProblem(keyPath))
    }
    var name = appending(mapping.keys[index].name)
    if name.nestedModel.schema == nil {
      name.nestedModel = NestedModel(schema: mapping.nestedModel(at: index))
    }
    return name
  }

  /// The names joined by dots. Dots inside names are escaped.
  public var description: String {
    problem == nil ? FieldPath(path.map { .key($0) }).description : path.last ?? ""
  }
}

extension Mapping {
  /// Why a request cannot use a property that is not a stored key.
  fileprivate func requestProblem(_ keyPath: PartialKeyPath<Model>) -> String {
    let shown = shown(keyPath)
    guard key(for: keyPath) == nil, let outer = key(containing: keyPath), outer.isStored,
      outer.relation != nil || outer.type == .object
    else {
      return "\(shown) is not a stored key of `\(name)`: declare the property with `.key` in the"
        + " mapping"
    }
    let steps = "\(keyPath)".drop { $0 != "." }.filter { $0 != "?" && $0 != "!" }
    let owner =
      outer.relation == nil
      ? "of the nested model `\(outer.name)`" : "of the model that `\(outer.name)` refers to"
    return "\(shown) is not a stored key of `\(name)` but \(owner): use the closure form, as in"
      + " `order { $0\(steps) }`"
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
