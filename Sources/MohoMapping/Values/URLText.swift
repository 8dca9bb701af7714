/// A text that is not a URL, for the message that says how to correct it.
struct URLText {
  private let scalars: [Unicode.Scalar]

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// What is expected instead of the text.
  var expectation: String {
    let authority = authority
    for (position, scalar) in scalars.enumerated() where !isAllowed(position, authority) {
      if !scalar.isASCII, authority.contains(position), !scalars[position...].contains("@") {
        return "URL: write the host in ASCII, as `xn--` labels, instead of `\(scalar)`"
      }
      let shown = scalar.escaped(asASCII: scalar.properties.generalCategory == .control)
      let encoding = "URL: percent-encode `\(shown)` as `\(scalar.percentEncoded)`"
      return scalar == "%" ? "\(encoding), or add two hexadecimal digits" : encoding
    }
    return "URL"
  }

  /// The positions between `//` and the path, query or fragment.
  private var authority: Range<Int> {
    guard let slash = scalars.firstIndex(where: { "/?#".unicodeScalars.contains($0) }),
      scalars[slash...].starts(with: "//".unicodeScalars),
      slash == 0 || scalars[slash - 1] == ":"
    else { return 0..<0 }
    let start = slash + 2
    let end = scalars[start...].firstIndex { "/?#".unicodeScalars.contains($0) }
    return start..<(end ?? scalars.count)
  }

  /// Whether RFC 3986 allows the character at a position.
  private func isAllowed(_ position: Int, _ authority: Range<Int>) -> Bool {
    switch scalars[position] {
    case "%":
      let digits = scalars[(position + 1)...].prefix(2)
      return digits.count == 2 && digits.allSatisfy { $0.isASCII && $0.properties.isASCIIHexDigit }
    case "[", "]": return authority.contains(position)
    case "#": return scalars.firstIndex(of: "#") == position
    case "a"..."z", "A"..."Z", "0"..."9": return true
    case let scalar: return "-._~:/?@!$&'()*+,;=".unicodeScalars.contains(scalar)
    }
  }
}

extension Unicode.Scalar {
  /// The bytes of the character in UTF-8, each as `%` and two digits.
  fileprivate var percentEncoded: String {
    String(self).utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}
