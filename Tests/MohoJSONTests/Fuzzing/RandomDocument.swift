import MohoTesting

/// Random JSON texts and mutations of them.
struct RandomDocument {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// An array of objects that are episodes, or nearly.
  mutating func array() -> [UInt8] {
    let elements = (0..<below(6)).map { _ in oneIn(12) ? value(depth: 2) : episode() }
    let text = space() + "[" + space() + elements.joined(separator: "," + space()) + "]" + space()
    return Array(text.utf8)
  }

  /// An object with such an array at `feed.items`, in most cases.
  mutating func feed() -> [UInt8] {
    let items = String(decoding: array(), as: UTF8.self)
    var members = [#""\#(oneIn(20) ? "item" : "items")":\#(items)"#]
    for _ in 0..<below(3) { members.append(member(depth: 2)) }
    members.shuffle(using: &generator)
    let inner = "{" + members.joined(separator: ",") + "}"
    let outer = oneIn(2) ? #"{"feed":\#(inner)}"# : #"{"x":[{}],"feed" :\#(inner),"y":null}"#
    return Array((oneIn(9) ? "\u{FEFF}" : "").utf8) + Array(outer.utf8)
  }

  /// The text with a few bytes flipped, removed, repeated, swapped or inserted.
  mutating func mutation(of text: [UInt8]) -> [UInt8] {
    var bytes = text
    for _ in 0...below(3) where !bytes.isEmpty {
      let start = below(bytes.count)
      let range = start..<min(bytes.count, start + 1 + below(8))
      switch below(7) {
      case 0: bytes[start] ^= 1 << UInt8(below(8))
      case 1: bytes.removeSubrange(range)
      case 2: bytes.insert(contentsOf: bytes[range], at: start)
      case 3: bytes.removeSubrange(start...)
      case 4: bytes.swapAt(start, below(bytes.count))
      case 5: bytes.insert(contentsOf: token().utf8, at: start)
      default: bytes[start] = UInt8(below(256))
      }
    }
    return bytes
  }

  private mutating func episode() -> String {
    var members = [
      #""id":\#(oneIn(15) ? value(depth: 1) : "\(below(1000))")"#,
      title(),
      #""episode_type":\#(oneIn(15) ? value(depth: 1) : #""free""#)"#,
      #""duration":\#(oneIn(15) ? value(depth: 1) : number())"#,
    ]
    if oneIn(8) { members.remove(at: below(4)) }
    if oneIn(2) { members.append(guests()) }
    if oneIn(2) { members.append(chapters()) }
    if oneIn(6) { members.append(#""headline":\#(string())"#) }
    if oneIn(3) { members.append(member(depth: 2)) }
    members.shuffle(using: &generator)
    return "{" + members.joined(separator: "," + space()) + "}"
  }

  private mutating func title() -> String {
    let title = oneIn(15) ? value(depth: 1) : string()
    return switch below(6) {
    case 0: #""headline":\#(title)"#
    case 1: #""meta":{"title":\#(title)}"#
    case 2: #""meta":\#(title),"title":\#(string())"#
    default: #""title":\#(title)"#
    }
  }

  private mutating func guests() -> String {
    let guests = array(oneIn(20)) { random in
      switch random.below(9) {
      case 0: random.value(depth: 1)
      case 1: "{}"
      case 2, 3: #"{"x":[{}],"name":\#(random.value(depth: 1))}"#
      default: #"{"name":\#(random.string())}"#
      }
    }
    return #""\#(oneIn(3) ? "people" : "guests")":\#(guests)"#
  }

  private mutating func chapters() -> String {
    let parts = array(oneIn(20)) { random in
      let chapters = random.array(random.oneIn(20)) { random in
        #"{"at":{"start":\#(random.oneIn(20) ? random.value(depth: 1) : random.number())}}"#
      }
      return random.oneIn(20) ? random.value(depth: 1) : #"{"chapters":\#(chapters)}"#
    }
    return #""parts":\#(parts)"#
  }

  /// An array, or another value.
  private mutating func array(
    _ isOther: Bool, _ element: (inout RandomDocument) -> String
  ) -> String {
    if isOther { return value(depth: 1) }
    let elements = (0..<below(4)).map { _ in element(&self) }
    return "[" + space() + elements.joined(separator: "," + space()) + "]"
  }

  private mutating func member(depth: Int) -> String {
    "\(string()):\(space())\(value(depth: depth))"
  }

  private mutating func value(depth: Int) -> String {
    if oneIn(300) { return nested() }
    switch below(depth > 0 ? 7 : 5) {
    case 0: return ["true", "false", "null"][below(3)]
    case 1, 2: return number()
    case 3, 4: return string()
    case 5:
      let elements = (0..<below(4)).map { _ in value(depth: depth - 1) }
      return "[" + elements.joined(separator: "," + space()) + "]"
    default:
      return "{" + (0..<below(3)).map { _ in member(depth: depth - 1) }.joined(separator: ",") + "}"
    }
  }

  private mutating func number() -> String {
    [
      "0", "-0", "7", "-12.5", "1e2", "1E-7", "0.1", "123456789.125", "9007199254740993",
      "9223372036854775807", "-1.5e300", "3.1415926535897931", "18446744073709551615",
      "-9223372036854775809", "123456789012345678901234567890.5", "1.0", "-0.0", "100.00", "2e17",
      "0e+" + digits(), "-0.000E" + digits(), "7e-" + digits(), "1E0000" + "\(below(400))",
      "0." + digits() + "e\(below(300))",
    ][below(24)]
  }

  private mutating func digits() -> String {
    String((0...below(90)).map { _ in "0123456789".randomElement(using: &generator) ?? "0" })
  }

  /// Arrays and objects as deep as the parser reads, or nearly.
  private mutating func nested() -> String {
    let depth = [60, 255, 257, 511, 513, 1900, 2044, 2046, 2048, 2050][below(10)]
    return oneIn(2)
      ? String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      : String(repeating: #"{"a":"#, count: depth) + number() + String(repeating: "}", count: depth)
  }

  private mutating func string() -> String {
    let parts = [
      "a", "é", "👩‍👧", "\\n", "\\u0041", "\\ud83d\\ude00", "\\\"", "]", "{", ",", " ", "\\\\",
      "\\u0000", "\\u0001", "b",
    ]
    return "\"" + (0..<below(12)).map { _ in parts[below(15)] }.joined() + "\""
  }

  private mutating func token() -> String {
    [
      "[", "]", "{", "}", ",", ":", "\"", "null", "1", "-", "e5", "\\", "\\u0000", "\\ud800", "\n",
      "\u{FEFF}", "\u{0}", #""id":1,"#, "[[[[", "99999999999999999999", "1e999",
    ][below(21)]
  }

  private mutating func space() -> String { oneIn(4) ? [" ", "\n", "\r\n", "\t "][below(4)] : "" }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  private mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }
}
