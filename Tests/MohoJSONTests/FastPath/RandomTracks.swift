import MohoTesting

/// Random arrays of similar tracks, as servers send them: the scanner predicts the keys
/// of an object from those of earlier objects.
struct RandomTracks {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// The text of an array.
  mutating func array() -> [UInt8] {
    // Some arrays are regular, others are not.
    let disorder = [1_000_000, 200, 20][below(3)]
    let tracks = (0..<below(14)).map { _ in track(depth: 2, disorder) }
    return Array("[\(tracks.joined(separator: oneIn(3) ? ",\n" : ","))]".utf8)
  }

  private mutating func track(depth: Int, _ disorder: Int) -> String {
    var members = [
      ("id", "\(below(100))"),
      ("artist", artist(disorder)),
      ("extra", unknown(depth: 3, disorder)),
      ("writer", oneIn(3) ? "null" : artist(disorder)),
      (
        "art",
        oneIn(5) ? "null" : object([("size", "[1,2.5]"), ("cover", "\(below(9))")], disorder)
      ),
      ("link", link(disorder)),
      ("either", oneIn(2) ? artist(disorder) : object([("a", "1"), ("b", "2")], disorder)),
      ("named", object([("one", "1"), ("two", "2"), ("thr\\u0065e", "3")], disorder)),
      ("any", unknown(depth: 2, disorder)),
      ("score", ["1.25", "-0.0", "3", "null", "65.613616999999977", "1e3"][below(6)]),
      ("more", unknown(depth: 1, disorder)),
    ]
    if depth > 0, oneIn(4) {
      let remixes = (0..<below(3)).map { _ in track(depth: depth - 1, disorder) }
      members.append(("remixes", "[\(remixes.joined(separator: ","))]"))
    }
    return object(members, disorder)
  }

  private mutating func artist(_ disorder: Int) -> String {
    let home = object([("zip", "\"1\""), ("city", "\"Zagreb\""), ("height", "122.5")], disorder)
    return object(
      [
        ("name", oneIn(disorder) ? "5" : #""Andrija \u010d""#),
        ("at", object([("home", home), ("x", "{}")], disorder)),
        ("unknown", unknown(depth: 1, disorder)),
      ], disorder)
  }

  private mutating func link(_ disorder: Int) -> String {
    oneIn(2) ? object([("page", "\"p\""), ("n", "1")], disorder) : object([("n", "1")], disorder)
  }

  private mutating func unknown(depth: Int, _ disorder: Int) -> String {
    if depth == 0 || oneIn(4) {
      return ["1", #""x\n""#, "null", "false", "-2.5e3", "[]", "{}", "1e400"][
        below(oneIn(disorder) ? 8 : 7)]
    }
    if oneIn(4) {
      let elements = (0..<below(3)).map { _ in unknown(depth: depth - 1, disorder) }
      return "[\(elements.joined(separator: " , "))]"
    }
    // Enough keys to use hash tables and, at times, to exceed the predictor.
    let keys = oneIn(30) ? 80 : 8
    return object(
      (0..<keys).map { ("key \($0)", $0 < 8 ? unknown(depth: depth - 1, disorder) : "0") },
      disorder)
  }

  /// An object with most of some members, rarely with a duplicate, another order or escape
  /// sequences.
  private mutating func object(_ members: [(String, String)], _ disorder: Int) -> String {
    var members = members.filter { _ in !oneIn(6) }
    if oneIn(disorder), let member = members.first { members.append(member) }
    if oneIn(disorder), members.count > 1 { members.swapAt(0, below(members.count)) }
    let colon = oneIn(disorder) ? " : " : ":"
    let texts = members.map { key, value in
      oneIn(disorder) && key.utf8.count > 1
        ? "\"\\u00\(hexadecimal(key.utf8.first ?? 0))\(key.dropFirst())\"\(colon)\(value)"
        : "\"\(key)\"\(colon)\(value)"
    }
    return "{\(texts.joined(separator: ","))}"
  }

  private func hexadecimal(_ byte: UInt8) -> String { String(byte, radix: 16) }
  private mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
  private mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }
}
