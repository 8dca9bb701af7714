extension FieldPath {
  /// Creates a path from a JSON Pointer (RFC 6901), such as `/items/0/title`.
  /// Returns nil if the text is not empty and does not begin with a slash, or
  /// if a tilde is not followed by 0 or 1.
  ///
  /// In a pointer, only the document decides whether `0` is an index or a key.
  /// A path must decide without a document. A token that RFC 6901 accepts as an
  /// index (digits without a leading zero) becomes an index. To address a key
  /// made of digits, use ``init(_:)``. Every other token becomes a key,
  /// including `*` and `-`: a pointer never collects.
  public init?(pointer: String) {
    // RFC 6901 counts Unicode scalars as characters.
    let tokens = pointer.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    guard let beforeFirst = tokens.first, beforeFirst.isEmpty else { return nil }
    var components: [Component] = []
    for token in tokens.dropFirst() {
      guard let key = Self.key(token) else { return nil }
      components.append(Self.index(key).map { .index($0) } ?? .key(key))
    }
    self.init(components)
  }

  /// The path as a JSON Pointer (RFC 6901), such as `/1/episode/title`. The
  /// pointer of the whole document is empty. `[*]` becomes the token `*`.
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

  /// Unescapes a token, or returns nil if it is malformed.
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

  private static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
      token == "0" || token.utf8.first != UInt8(ascii: "0")
    else { return nil }
    return Int(token)
  }
}
