extension FieldPath {
  /// Makes a path of a JSON Pointer (RFC 6901), such as `/items/0/title`; nil
  /// where the text is none: not empty and without a slash at its beginning,
  /// or with a tilde that neither 0 nor 1 follows.
  ///
  /// A pointer does not say whether `0` is an element or a key: that depends on
  /// the document, and a path has none. A token that the RFC takes for an
  /// index, digits without a leading zero, is one here, since most such tokens
  /// are; a key of digits has its place in ``init(_:)``. Any other token is a
  /// key, `*` and `-` too: a pointer leads to one value that is there, and
  /// never collects.
  public init?(pointer: String) {
    // By scalars, as the RFC counts characters.
    let tokens = pointer.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    guard let beforeFirst = tokens.first, beforeFirst.isEmpty else { return nil }
    var components: [Component] = []
    for token in tokens.dropFirst() {
      guard let key = Self.key(token) else { return nil }
      components.append(Self.index(key).map { .index($0) } ?? .key(key))
    }
    self.init(components)
  }

  /// The path as a JSON Pointer (RFC 6901), such as `/1/episode/title`; empty
  /// for the whole document.
  ///
  /// Of a path that collects, the token for every element is `*`.
  public var pointer: String {
    components.map { component in
      switch component {
      case .each: return "/*"
      case .index(let index): return "/\(index)"
      case .key(let key):
        var escaped = "/"
        for scalar in key.unicodeScalars {
          switch scalar {
          case "~": escaped += "~0"
          case "/": escaped += "~1"
          default: escaped.unicodeScalars.append(scalar)
          }
        }
        return escaped
      }
    }.joined()
  }

  /// The key that a token spells, or nil where it is malformed.
  private static func key(_ token: Substring.UnicodeScalarView) -> String? {
    var key = ""
    var rest = token
    while let scalar = rest.popFirst() {
      guard scalar == "~" else {
        key.unicodeScalars.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "0": key += "~"
      case "1": key += "/"
      default: return nil
      }
    }
    return key
  }

  /// The index that a token is, or nil where it is none.
  private static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      token == "0" || token.utf8.first != UInt8(ascii: "0")
    else { return nil }
    return Int(token)
  }
}
