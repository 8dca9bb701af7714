/// Reads the string form of a path.
// By scalars: a dot stays one when the key behind it begins with a mark that
// combines with it.
struct FieldPathParser {
  private var rest: Substring.UnicodeScalarView
  private(set) var problem: String?

  init(_ string: String) { rest = Substring(string).unicodeScalars }

  mutating func parse() -> [FieldPath.Component] {
    var components = [FieldPath.Component.key(key())]
    while let separator = rest.popFirst() {
      components.append(separator == "[" ? step() : .key(key()))
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

  /// What stands in brackets.
  private mutating func step() -> FieldPath.Component {
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
