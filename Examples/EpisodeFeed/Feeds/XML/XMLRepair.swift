import Foundation
import TextTables

/// Repairs what XML refuses although its meaning is known: entities of HTML, `&`
/// that begins no reference, prefixes that are not declared, and a document type
/// with declarations other than entities.
struct XMLRepair {
  /// The repaired document.
  private(set) var bytes: [UInt8] = []
  /// A message for each kind of repair, with the first position.
  private(set) var messages: [String] = []

  private let text: XMLText
  private var kinds: [String: (count: Int, offset: Int)] = [:]
  private var used: [String] = []
  private var declared: Set<String> = ["xml", "xmlns"]
  /// The position in ``bytes`` after the name of the root.
  private var rootNameEnd: Int?

  init(_ text: XMLText) {
    self.text = text
    bytes.reserveCapacity(text.bytes.count + 1_000)
    var position = 0
    while position < text.bytes.count {
      switch text.bytes[position] {
      case UInt8(ascii: "<"): position = copyMarkup(at: position)
      case UInt8(ascii: "&"): position = copyReference(at: position)
      case let byte:
        bytes.append(byte)
        position += 1
      }
    }
    declarePrefixes()
    messages = kinds.sorted { $0.value.offset < $1.value.offset }.map { kind, repair in
      let times = repair.count == 1 ? "" : " \(repair.count) times, first"
      return "repaired:\(times) \(kind) at \(text.lineAndColumn(of: repair.offset))"
    }
  }

  private mutating func note(_ kind: String, at offset: Int) {
    kinds[kind, default: (0, offset)].count += 1
  }

  /// Copies markup, and returns its end.
  private mutating func copyMarkup(at start: Int) -> Int {
    let rest = text.bytes[start...]
    for (begin, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
    where rest.starts(with: begin.utf8) {
      let last = self.end(of: end, from: start + begin.utf8.count)
      bytes += text.bytes[start..<last]
      return last
    }
    if rest.starts(with: "<!DOCTYPE".utf8) { return copyDocumentType(at: start) }
    return copyTag(at: start)
  }

  private func end(of text: String, from start: Int) -> Int {
    let pattern = Array(text.utf8)
    var position = start
    while let found = self.text.bytes[min(position, self.text.bytes.count)...]
      .firstIndex(of: pattern[0])
    {
      if self.text.bytes[found...].starts(with: pattern) { return found + pattern.count }
      position = found + 1
    }
    return self.text.bytes.count
  }

  /// Copies a document type. A subset without entities is replaced by spaces.
  private mutating func copyDocumentType(at start: Int) -> Int {
    let all = text.bytes
    let limit = all[start...].firstIndex(of: UInt8(ascii: ">")) ?? all.count
    guard let open = all[start..<limit].firstIndex(of: UInt8(ascii: "[")),
      let close = all[open...].firstIndex(of: UInt8(ascii: "]"))
    else {
      bytes += all[start..<limit]
      return limit
    }
    let subset = all[open...close]
    let isHarmless =
      !subset.contains(UInt8(ascii: "%")) && !subset.contains(UInt8(ascii: "&"))
      && !String(decoding: subset, as: UTF8.self).uppercased().contains("<!ENTITY")
    bytes += all[start..<open]
    bytes += isHarmless ? subset.map { $0 == 0x0A ? $0 : 0x20 } : Array(subset)
    if isHarmless { note("declarations in the document type", at: open) }
    return close + 1
  }

  /// Copies a tag with its references.
  private mutating func copyTag(at start: Int) -> Int {
    let all = text.bytes
    bytes.append(UInt8(ascii: "<"))
    var position = start + 1
    var quote: UInt8?
    var word: [UInt8] = []
    while position < all.count {
      let byte = all[position]
      if byte == UInt8(ascii: "&") {
        position = copyReference(at: position)
        continue
      }
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte.isNamePart {
        word.append(byte)
      } else {
        endWord(word, start: start)
        word = []
        if byte == UInt8(ascii: "<") { return position }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
      }
      bytes.append(byte)
      position += 1
      if quote == nil, byte == UInt8(ascii: ">") { return position }
    }
    return position
  }

  /// Notes the prefix of a name outside of quotes.
  private mutating func endWord(_ word: [UInt8], start: Int) {
    guard !word.isEmpty else { return }
    if rootNameEnd == nil { rootNameEnd = bytes.count }
    guard let colon = word.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return }
    let prefix = String(decoding: word[..<colon], as: UTF8.self)
    if prefix == "xmlns" {
      declared.insert(String(decoding: word[(colon + 1)...], as: UTF8.self))
    } else if !declared.contains(prefix), !used.contains(prefix) {
      guard used.count < 100 else { return }
      used.append(prefix)
      kinds["undeclared prefix `\(VisibleText.escaped(prefix))`"] = (1, start)
    }
  }

  /// Declares the prefixes without a declaration at the root.
  private mutating func declarePrefixes() {
    let missing = used.filter { !declared.contains($0) }
    for prefix in used where declared.contains(prefix) {
      kinds["undeclared prefix `\(VisibleText.escaped(prefix))`"] = nil
    }
    guard let rootNameEnd, !missing.isEmpty else { return }
    let declarations = missing.map { prefix in
      let namespace = FeedNamespaces.prefixes[prefix.lowercased()] ?? "urn:undeclared:\(prefix)"
      return " xmlns:\(prefix)=\"\(namespace)\""
    }
    bytes.insert(contentsOf: Array(declarations.joined().utf8), at: rootNameEnd)
  }

  /// Copies a reference, or the character that it means.
  private mutating func copyReference(at start: Int) -> Int {
    let all = text.bytes
    let name = all[(start + 1)...].prefix { $0.isNamePart || $0 == UInt8(ascii: "#") }.prefix(32)
    let isComplete = name.endIndex < all.count && all[name.endIndex] == UInt8(ascii: ";")
    let text = String(decoding: name, as: UTF8.self)
    if isComplete, ["amp", "lt", "gt", "quot", "apos"].contains(text) || Self.isNumber(text) {
      bytes += all[start...name.endIndex]
      return name.endIndex + 1
    }
    if isComplete {
      let (decoded, length) = HTMLReference.decoded(at: start, in: all)
      if length > 1 {
        note("reference of HTML", at: start)
        // A control character has no form in XML.
        bytes += decoded.count == 1 && decoded[0] < 0x20 ? Array("\u{FFFD}".utf8) : decoded
        return start + length
      }
    }
    note("`&` without a reference", at: start)
    bytes += "&amp;".utf8
    return start + 1
  }

  /// Whether a numeric reference is one of XML.
  private static func isNumber(_ text: String) -> Bool {
    guard text.hasPrefix("#") else { return false }
    let isHexadecimal = text.hasPrefix("#x")
    let digits = text.dropFirst(isHexadecimal ? 2 : 1)
    guard let value = UInt32(digits, radix: isHexadecimal ? 16 : 10) else { return false }
    switch value {
    case 0x9, 0xA, 0xD, 0x20...0x7F, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF:
      return true
    default: return false
    }
  }
}

extension UInt8 {
  /// Whether the byte is a part of a name in XML, or of a character outside of
  /// ASCII.
  fileprivate var isNamePart: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "_"),
      UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
      true
    default: false
    }
  }
}
