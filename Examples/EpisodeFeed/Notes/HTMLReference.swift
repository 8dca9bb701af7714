/// Decodes the character references of HTML, such as `&amp;` and `&#8217;`.
enum HTMLReference {
  /// The text with its references decoded.
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "&") else {
        result.append(bytes[position])
        position += 1
        continue
      }
      let (decoded, length) = decoded(at: position, in: bytes)
      result += decoded
      position += length
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes the reference that begins with the `&` at a position. An unknown
  /// reference is text.
  ///
  /// - Returns: The character in UTF-8, and the length of the reference.
  static func decoded(at position: Int, in bytes: [UInt8]) -> (text: [UInt8], length: Int) {
    let rest = bytes[(position + 1)...].prefix(32)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")), end > position + 1 else {
      return ([UInt8(ascii: "&")], 1)
    }
    let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
    guard let scalar = name.hasPrefix("#") ? number(name.dropFirst()) : named[name] else {
      return ([UInt8(ascii: "&")], 1)
    }
    return (Array(String(scalar).utf8), end - position + 1)
  }

  private static func number(_ text: Substring) -> Unicode.Scalar? {
    let isHexadecimal = text.hasPrefix("x") || text.hasPrefix("X")
    guard
      let value = UInt32(isHexadecimal ? text.dropFirst() : text, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    // As browsers do: a wrong number is the replacement character, and some
    // control characters have the meaning of Windows-1252.
    if (0x80...0x9F).contains(value) { return windows1252[Int(value) - 0x80] }
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private static let windows1252 = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  /// The names that feeds use: those of XML and Latin-1, and punctuation.
  private static let named: [String: Unicode.Scalar] = {
    var named: [String: Unicode.Scalar] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "hellip": "…", "mdash": "—",
      "ndash": "–", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”",
      "bdquo": "„", "lsaquo": "‹", "rsaquo": "›", "bull": "•", "dagger": "†", "permil": "‰",
      "prime": "′", "euro": "€", "trade": "™", "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓",
      "harr": "↔", "minus": "−", "ne": "≠", "le": "≤", "ge": "≥", "asymp": "≈", "infin": "∞",
      "hearts": "♥", "check": "✓", "star": "☆", "ensp": "\u{2002}", "emsp": "\u{2003}",
      "thinsp": "\u{2009}", "zwnj": "\u{200C}", "zwj": "\u{200D}", "OElig": "Œ", "oelig": "œ",
      "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "fnof": "ƒ", "circ": "ˆ", "tilde": "˜",
    ]
    let latin = """
      nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn \
      sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave \
      Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc \
      Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute \
      THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
      igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave \
      uacute ucirc uuml yacute thorn yuml
      """
    for (offset, name) in latin.split(separator: " ").enumerated() {
      named[String(name)] = Unicode.Scalar(UInt8(0xA0 + offset))
    }
    // Lines may be broken at any space.
    named["nbsp"] = " "
    return named
  }()
}
