/// The way to a value inside a document: keys of objects and indexes of arrays.
///
/// The string form joins keys by dots and writes indexes in brackets:
/// `thumbnail.url`, `attachments[0].duration_in_seconds`. A backslash takes the
/// next character as it is, so that `optional\.detail` is one key.
public struct FieldPath: Hashable, Sendable, CustomStringConvertible {
  /// One step of a path.
  public enum Component: Hashable, Sendable {
    /// The value under a key of an object.
    case key(String)
    /// The element at a position of an array, from 0.
    case index(Int)
  }

  /// The steps, outermost first.
  public var components: [Component]

  /// What is wrong with the string that the path was made from, or nil.
  package let problem: String?

  /// Makes a path of its steps.
  public init(_ components: [Component]) {
    self.components = components
    self.problem = nil
  }

  /// The path with further steps.
  public func appending(_ further: FieldPath) -> FieldPath {
    FieldPath(components + further.components)
  }

  /// The path with one further step.
  public func appending(_ component: Component) -> FieldPath {
    FieldPath(components + [component])
  }

  /// The path as a JSON Pointer (RFC 6901), such as `/1/episode/title`; empty
  /// for the whole document.
  public var pointer: String {
    components.map { component in
      switch component {
      case .index(let index): return "/\(index)"
      case .key(let key):
        var escaped = "/"
        for character in key {
          switch character {
          case "~": escaped += "~0"
          case "/": escaped += "~1"
          default: escaped.append(character)
          }
        }
        return escaped
      }
    }.joined()
  }

  /// The string form, which makes an equal path.
  public var description: String {
    var text = ""
    for component in components {
      switch component {
      case .index(let index): text += "[\(index)]"
      case .key(let key):
        if !text.isEmpty { text += "." }
        for character in key {
          if ".[\\".contains(character) { text += "\\" }
          text.append(character)
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
    self.problem = parser.problem.map { "the path `\(string)` has \($0)" }
  }
}

/// Reads the string form of a path.
private struct FieldPathParser {
  private var rest: Substring
  private(set) var problem: String?

  init(_ string: String) { rest = Substring(string) }

  mutating func parse() -> [FieldPath.Component] {
    var components = [FieldPath.Component.key(key())]
    while let separator = rest.popFirst() {
      components.append(separator == "[" ? .index(index()) : .key(key()))
    }
    return components
  }

  private mutating func key() -> String {
    var key = ""
    while let character = rest.first, character != ".", character != "[" {
      rest.removeFirst()
      if character == "\\", let escaped = rest.popFirst() {
        key.append(escaped)
      } else {
        key.append(character)
      }
    }
    if key.isEmpty { problem = "an empty component" }
    return key
  }

  private mutating func index() -> Int {
    let digits = rest.prefix { $0 != "]" }
    rest.removeFirst(digits.count)
    let isClosed = rest.popFirst() == "]"
    let isFollowed = rest.isEmpty || rest.first == "." || rest.first == "["
    guard isClosed, isFollowed, let index = Int(digits), index >= 0 else {
      problem = "a malformed index"
      rest = ""
      return 0
    }
    return index
  }
}
