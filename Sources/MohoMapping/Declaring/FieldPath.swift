/// The path of a value in a document: keys of objects and indexes of arrays.
///
/// The string form joins keys with dots and writes array steps in brackets:
///
/// | string form | leads to |
/// |---|---|
/// | `title` | the value of a key |
/// | `thumbnail.url` | the value of a key in a nested object |
/// | `attachments[0].url` | a value in the first element of an array |
/// | `users[*].name` | an array of one value from each element of an array |
/// | `optional\.detail` | the value of a key that contains a dot |
///
/// A backslash escapes the next character. In a key, escape each dot, opening
/// bracket and backslash.
///
/// A path with `[*]` is a collecting path. It leads to the array of the values
/// that the rest of the path finds in each element, in order.
/// `groups[*].users[*].name` leads to an array of arrays. Only a key that holds
/// an array can have a collecting path. Envelopes and the paths that locate
/// models in a document lead to one value.
public struct FieldPath: Hashable, Sendable, CustomStringConvertible {
  /// One step of a path.
  public enum Component: Hashable, Sendable {
    /// The value of a key of an object.
    case key(String)
    /// The element at a zero-based index of an array.
    case index(Int)
    /// Each element of an array.
    case each
  }

  /// The steps, from the root of the document inward.
  public var components: [Component]

  /// What is wrong with the string form, or nil.
  private let stringProblem: String?

  /// The maximum number of components: code that follows a path may recurse.
  package static let maximumLength = 128

  /// Whether a document cannot contain the path.
  var isTooLong: Bool { components.count > Self.maximumLength }

  /// What is wrong with the path, or nil.
  package var problem: String? {
    guard isTooLong else { return stringProblem }
    return "a path has \(components.count) steps, more than \(Self.maximumLength)"
  }

  /// Creates a path from its components.
  public init(_ components: [Component]) {
    self.components = components
    stringProblem = nil
  }

  /// Returns this path followed by another one.
  public func appending(_ further: FieldPath) -> FieldPath {
    FieldPath(components + further.components)
  }

  /// Returns this path followed by one component.
  public func appending(_ component: Component) -> FieldPath {
    FieldPath(components + [component])
  }

  /// The string form. Parsing it yields an equal path.
  public var description: String {
    if components.count == 1, case .key(let key)? = components.first, !key.hasPathSyntax {
      return key
    }
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
  /// Parses a path.
  ///
  /// An empty component or a malformed index is reported by the mapping that
  /// uses the path.
  public init(stringLiteral string: String) {
    // Most paths are names.
    if !string.isEmpty, !string.hasPathSyntax {
      components = [.key(string)]
      stringProblem = nil
    } else {
      var parser = FieldPathParser(string)
      components = parser.parse()
      stringProblem = parser.problem.map { "the path `\(string)` has \($0)" }
    }
  }
}

extension FieldPath {
  /// The path of one value: the whole path, or the path of the array that a
  /// collecting path reads.
  package var valuePath: FieldPath {
    let length = valueLength
    return length == components.count ? self : FieldPath(Array(components[..<length]))
  }

  /// The number of components of ``valuePath``.
  var valueLength: Int {
    components.firstIndex { if case .each = $0 { true } else { false } } ?? components.count
  }

  /// The path inside each element of the array that a collecting path reads. It
  /// may collect again. Nil if the path does not collect.
  package var elementPath: FieldPath? {
    components.firstIndex(of: .each).map { FieldPath(Array(components[($0 + 1)...])) }
  }

  /// The path of the first array that the path leads into by an index. Nil if there is
  /// none, or if the path collects before.
  package var arrayPath: FieldPath? {
    for (position, component) in components.enumerated() {
      switch component {
      case .key: continue
      case .index: return FieldPath(Array(components[..<position]))
      case .each: return nil
      }
    }
    return nil
  }

  /// Whether both paths have the same steps. Names are compared by their UTF-8 bytes,
  /// as in documents.
  package func hasSameBytes(as other: FieldPath) -> Bool {
    components.count == other.components.count && isInside(other)
  }

  /// Whether one of both paths is the other one or leads through it. Names are compared
  /// by their UTF-8 bytes, as in documents.
  func meets(_ other: FieldPath) -> Bool { isInside(other) || other.isInside(self) }

  /// Whether the path is another one or leads through it. Names are compared by their
  /// UTF-8 bytes, as in documents.
  package func isInside(_ outer: FieldPath) -> Bool {
    components.count >= outer.components.count
      && zip(components, outer.components).allSatisfy { one, other in
        switch (one, other) {
        case (.key(let one), .key(let other)): one.hasSameBytes(as: other)
        default: one == other
        }
      }
  }
}

extension String {
  /// Whether a name differs from the string form of its path.
  var hasPathSyntax: Bool { utf8.contains(where: \.isPathSyntax) }
}

extension UInt8 {
  /// Whether the string form of a path escapes the byte in names.
  var isPathSyntax: Bool {
    self == UInt8(ascii: ".") || self == UInt8(ascii: "[") || self == UInt8(ascii: "\\")
  }
}

/// Parses the string form of a path.
// The parser works on Unicode scalars: a dot is a separator even if the next
// key begins with a combining mark.
private struct FieldPathParser {
  private var rest: Substring.UnicodeScalarView
  private(set) var problem: String?

  init(_ string: String) { rest = Substring(string).unicodeScalars }

  mutating func parse() -> [FieldPath.Component] {
    var components = [FieldPath.Component.key(key())]
    while let separator = rest.popFirst() {
      components.append(separator == "[" ? arrayStep() : .key(key()))
    }
    return components
  }

  private mutating func key() -> String {
    var key = ""
    while let scalar = rest.first, scalar != ".", scalar != "[" {
      rest.removeFirst()
      if scalar == "\\", let escaped = rest.popFirst() {
        key.unicodeScalars.append(escaped)
      } else {
        key.unicodeScalars.append(scalar)
      }
    }
    if key.isEmpty { problem = "an empty component" }
    return key
  }

  /// Parses the rest of a step whose opening bracket was consumed.
  private mutating func arrayStep() -> FieldPath.Component {
    let content = String(rest.prefix { $0 != "]" })
    rest.removeFirst(content.unicodeScalars.count)
    let isClosed = rest.popFirst() == "]"
    let isFollowed = rest.isEmpty || rest.first == "." || rest.first == "["
    if isClosed, isFollowed {
      if content == "*" { return .each }
      if let index = Int(content), index >= 0 { return .index(index) }
    }
    problem = "a malformed index"
    rest = Substring().unicodeScalars
    return .index(0)
  }
}
