/// The way to a value inside a document: keys of objects and indexes of arrays.
///
/// The string form joins keys by dots and writes steps into arrays in brackets:
///
/// | string form | leads to |
/// |---|---|
/// | `title` | the value under a key of the object |
/// | `thumbnail.url` | the value under a key of the object under a key |
/// | `attachments[0].url` | what an element of an array holds, the first being 0 |
/// | `users[*].name` | what every element of an array holds, as an array |
/// | `optional\.detail` | the value under a key that has a dot |
///
/// A backslash takes the next character as it is: in a key, put one before each
/// dot, opening bracket and backslash.
///
/// A path with `[*]` collects. It leads to the array of what the rest of the
/// path finds in each element, in order, and so `groups[*].users[*].name` leads
/// to an array of arrays. Only the paths of keys may collect, and of those that
/// hold arrays: envelopes, and the paths that say where models lie, lead to one
/// value.
public struct FieldPath: Hashable, Sendable, CustomStringConvertible {
  /// One step of a path.
  public enum Component: Hashable, Sendable {
    /// The value under a key of an object.
    case key(String)
    /// The element at a position of an array, from 0.
    case index(Int)
    /// Every element of an array, each by itself.
    case each
  }

  /// The steps, outermost first.
  public var components: [Component]

  /// What is wrong with the string that the path was made from, or nil.
  private let stringProblem: String?

  /// The most steps of a path. What walks along paths may call itself for each.
  package static let maximumLength = 128

  /// What is wrong with the path, or nil.
  package var problem: String? {
    guard components.count > Self.maximumLength else { return stringProblem }
    return "a path has \(components.count) steps, more than \(Self.maximumLength)"
  }

  /// Makes a path of its steps.
  public init(_ components: [Component]) {
    self.components = components
    stringProblem = nil
  }

  /// The path with further steps.
  public func appending(_ further: FieldPath) -> FieldPath {
    FieldPath(components + further.components)
  }

  /// The path with one further step.
  public func appending(_ component: Component) -> FieldPath {
    FieldPath(components + [component])
  }

  /// The string form, which makes an equal path.
  public var description: String {
    var text = ""
    for component in components {
      switch component {
      case .each: text += "[*]"
      case .index(let index): text += "[\(index)]"
      case .key(let key):
        if !text.isEmpty { text += "." }
        for scalar in key.unicodeScalars {
          if ".[\\".unicodeScalars.contains(scalar) { text += "\\" }
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }
}

extension FieldPath: ExpressibleByStringLiteral {
  /// Makes a path of its string form.
  ///
  /// A string with an empty component or a malformed index makes a path that
  /// the mapping's check reports.
  public init(stringLiteral string: String) {
    var parser = FieldPathParser(string)
    self.components = parser.parse()
    stringProblem = parser.problem.map { "the path `\(string)` has \($0)" }
  }
}

extension FieldPath {
  /// The way to one value: the whole path, or of one that collects, the way to
  /// the array.
  package var valuePath: FieldPath {
    guard let each = components.firstIndex(of: .each) else { return self }
    return FieldPath(Array(components[..<each]))
  }

  /// The path inside each element of the array, which may collect again; nil
  /// where the path does not collect.
  package var elementPath: FieldPath? {
    components.firstIndex(of: .each).map { FieldPath(Array(components[($0 + 1)...])) }
  }
}
