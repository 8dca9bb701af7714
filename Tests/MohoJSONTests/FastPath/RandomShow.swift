import MohoTesting

/// Random objects that are shows, or nearly, and mutations of their text.
struct RandomShow {
  var generator: SeededGenerator
  private(set) var bytes: [UInt8] = []

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The text of an object with spaces around it.
  mutating func object() -> [UInt8] {
    bytes.removeAll(keepingCapacity: true)
    space()
    show()
    space()
    return bytes
  }

  /// The text of an array of objects.
  mutating func array() -> [UInt8] {
    bytes.removeAll(keepingCapacity: true)
    list(below(5)) { $0.oneIn(12) ? $0.value(2) : $0.show() }
    return bytes
  }

  /// The text with a few bytes flipped, removed, repeated, swapped or inserted.
  mutating func mutation(of text: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0...below(2) where !text.isEmpty {
      let start = below(text.count)
      let range = start..<min(text.count, start + 1 + below(6))
      switch below(8) {
      case 0: text[start] ^= 1 << UInt8(below(8))
      case 1: text.removeSubrange(range)
      case 2: text.insert(contentsOf: text[range], at: start)
      case 3: text.removeSubrange(start...)
      case 4: text.swapAt(start, below(text.count))
      case 5, 6: text.insert(contentsOf: Self.tokens[below(Self.tokens.count)].utf8, at: start)
      default: text[start] = UInt8(below(256))
      }
    }
    return text
  }

  private mutating func show() {
    let first = below(Self.members.count)
    let count = below(7)
    put("{")
    if !oneIn(20) { member(#""id""#) { $0.oneIn(20) ? $0.value(1) : $0.number() } }
    for number in 0..<count {
      put(",")
      // Some are duplicates.
      let index = oneIn(40) ? first : (first + number * 7) % Self.members.count
      let (key, isRight) = Self.members[index]
      member(key) { $0.oneIn(8) ? $0.value(2) : isRight(&$0) }
    }
    put("}")
  }

  private static let members: [(String, @Sendable (inout RandomShow) -> Void)] = [
    (#""title""#, { $0.string() }),
    (#""size""#, { $0.number() }),
    (#""small""#, { $0.put("\($0.below(300) - 150)") }),
    (#""big""#, { $0.number() }),
    (#""price""#, { $0.number() }),
    (#""ratio""#, { $0.number() }),
    (#""new""#, { $0.put($0.oneIn(2) ? "true" : "false") }),
    (#""date""#, { $0.put($0.oneIn(9) ? #""2026""# : #""2026-11-20T08:30:00Z""#) }),
    (#""times""#, { random in random.group([#""epoch""#, #""e""#]) { $0.number() } }),
    ("\"kind\u{E9}\"", { $0.put($0.oneIn(9) ? #""no""# : #""fr\u0065e""#) }),
    (#""kind\u00E9""#, { $0.put(#""paid""#) }),
    (
      #""media""#,
      { random in
        random.group([#""url""#, #""x""#]) { $0.oneIn(2) ? $0.string() : $0.number() }
      }
    ),
    (#""stats""#, { random in random.group([#""count""#, #""c""#]) { $0.number() } }),
    (#""link""#, { $0.string() }),
    (
      #""images""#,
      { random in
        random.list(random.below(4)) { random in random.group([#""url""#, #""u""#]) { $0.string() }
        }
      }
    ),
    (#""place""#, { random in random.group([#""lat""#, #""lon""#]) { $0.number() } }),
    (#""note""#, { $0.string() }),
    (#""best""#, { $0.part(2) }),
    (#""parts""#, { random in random.list(random.below(3)) { $0.part(2) } }),
    (
      #""grid""#,
      { random in
        random.list(random.below(3)) { random in random.list(random.below(4)) { $0.number() } }
      }
    ),
    (
      #""named""#,
      { random in
        random.group([
          #""a""#, #""\u0061""#, #""b c""#, "\"\u{E9}\"", "\"e\u{301}\"", #""a\u0000""#,
          #""\u0000""#,
        ]) {
          $0.put("\($0.below(9))")
        }
      }
    ),
    (#""any""#, { $0.value(3) }),
    (
      #""tags""#,
      { random in
        random.list(random.below(4)) { $0.oneIn(4) ? $0.put("null") : $0.string() }
      }
    ),
    (#""tit\u006ce""#, { $0.string() }),
    (#""length""#, { $0.oneIn(2) ? $0.number() : $0.put(#""\#($0.below(99))""#) }),
    (
      #""about""#,
      { random in
        if random.oneIn(2) { return random.part(1) }
        random.group([#""page""#]) { $0.string() }
      }
    ),
    (
      #""notes""#,
      { random in
        random.list(random.below(4)) { $0.oneIn(9) ? $0.value(1) : $0.put("\($0.below(9))") }
      }
    ),
    (#""unknown""#, { $0.value(3) }),
    (#""other""#, { $0.value(1) }),
    (#""""#, { $0.value(1) }),
  ]

  private static let tokens = [
    "[", "]", "{", "}", ",", ":", "\"", "null", "1", "-", "e5", "\\", "\\u0000", "\\ud800", "\n",
    "\u{FEFF}", "\u{0}", #""id":1,"#, "[[[[", "99999999999999999999", "1e999", ".", "0", "tru",
    "\u{1F469}", "\u{7F}", "\t", "1e308", "-0",
  ]

  private static let numbers = [
    "0", "-0", "7", "42", "-12.5", "1e2", "1E-7", "0.1", "123456789.125", "9007199254740993",
    "100.0",
    "9223372036854775807", "-1.5e300", "3.1415926535897931", "18446744073709551615", "-65.613617",
    "-9223372036854775809", "123456789012345678901234567890.5", "1e-320", "2.5e-400", "0e0", "-0.0",
    "5e-324", "0.30000000000000004", "1e17", "8.5", "1e22", "1e23", "12345678901234567e10", "1.0",
    "0e+" + String(repeating: "1", count: 64), "-0.00E" + String(repeating: "9", count: 80),
    "0." + String(repeating: "0", count: 400) + "e999", "7e-" + String(repeating: "3", count: 70),
    "0E-" + String(repeating: "1", count: 19), "25e" + String(repeating: "0", count: 70) + "1",
    "0." + String(repeating: "0", count: 700) + "1e700",
  ]

  private static let parts = [
    "a", "title", "é", "👩‍👧", "\\n", "\\u0041", "\\ud83d\\ude00", "\\\"", "]", "{", " ", "\\\\",
    "\\/",
    "a plain text of some bytes", "語", "\u{7F}", "\\u0000", "\\u0001",
  ]

  private mutating func part(_ depth: Int) {
    put("{")
    member(#""n""#) { $0.oneIn(20) ? $0.value(1) : $0.put("\($0.below(9))") }
    if oneIn(2) {
      put(",")
      member(#""at""#) { random in random.group([#""start""#, #""s""#]) { $0.number() } }
    }
    if depth > 0, oneIn(2) {
      put(",")
      member(#""parts""#) { random in random.list(random.below(3)) { $0.part(depth - 1) } }
    }
    put("}")
  }

  private mutating func member(_ key: String, _ value: (inout RandomShow) -> Void) {
    space()
    put(key)
    space()
    put(":")
    space()
    value(&self)
    space()
  }

  /// An object with some of the keys in order, or rarely null.
  private mutating func group(_ keys: [String], _ value: (inout RandomShow) -> Void) {
    if oneIn(12) { return put("null") }
    put("{")
    var isFirst = true
    for key in keys where oneIn(2) {
      if !isFirst { put(",") }
      isFirst = false
      member(key, value)
    }
    put("}")
  }

  private mutating func list(_ count: Int, _ element: (inout RandomShow) -> Void) {
    put("[")
    space()
    for index in 0..<count {
      if index > 0 { put(",") }
      space()
      element(&self)
      space()
    }
    put("]")
  }

  private mutating func value(_ depth: Int) {
    if oneIn(2_000) { return nested() }
    switch below(depth > 0 ? 7 : 5) {
    case 0: put(["true", "false", "null"][below(3)])
    case 1, 2: number()
    case 3, 4: string()
    case 5: list(below(4)) { $0.value(depth - 1) }
    default:
      group([#""a""#, #""b""#, #""a""#, #""id""#, #""a\u0000""#, #""a\u0001a""#]) {
        $0.value(depth - 1)
      }
    }
  }

  /// Arrays and objects near the depth limits of both paths.
  private mutating func nested() {
    let depth = [60, 255, 256, 257, 511, 512, 513, 2044, 2046, 2048][below(10)]
    put(String(repeating: #"[{"\u0000":"#, count: depth / 2))
    number()
    put(String(repeating: "}]", count: depth / 2))
  }

  private mutating func number() { put(Self.numbers[below(Self.numbers.count)]) }

  private mutating func string() {
    put("\"")
    for _ in 0..<below(6) { put(Self.parts[below(Self.parts.count)]) }
    put("\"")
  }

  private mutating func space() {
    if oneIn(12) { put([" ", "\n", "\r\n", "\t ", "\n            "][below(5)]) }
  }

  private mutating func put(_ text: String) { bytes += text.utf8 }
  private mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
  private mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }
}
