import Campaigns
import Foundation
import MohoTesting
import Testing

@testable import MohoMapping

/// The text of a tree is that of `JSONEncoder`, without signs of zeros.
@Suite struct EncodableTreeTextTests {
  private func encoderText(_ tree: EncodableTree) throws -> String {
    let encoder = FieldRecorder.jsonEncoder()
    encoder.userInfo = PreservedJSON.userInfo
    return NegativeZeros.removed(from: try encoder.encode(tree))
  }

  @Test func randomTreesHaveTheTextOfTheEncoder() throws {
    var count = 0
    for seed in UInt64(0)..<2_000 {
      var random = RandomTree(seed)
      let tree = random.tree(levels: 5)
      // Trees with two members of one name are left to the encoder.
      guard let text = try tree.text() else { continue }
      let expected = try encoderText(tree)
      #expect(text == expected, "seed \(seed)")
      count += 1
    }
    #expect(count > 1_950)
  }

  @Test func deepValuesArePreservedAtTheSameLevels() throws {
    for levels in [60, 61, 62, 63, 64, 65, 66, 70, 120, 127, 128, 129, 130] {
      let value = (0..<levels).reduce(JSONValue.integer(1)) { value, level in
        level.isMultiple(of: 2) ? .array([value]) : ["a": value]
      }
      let tree = EncodableTree.array([
        .object([.init(name: AnyCodingKey("x"), value: .codable(value, depth: 1))])
      ])
      let expected = try? encoderText(tree)
      #expect((try? tree.text()) == expected, "\(levels) levels")
      #expect(expected != nil)
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func numbersThatJSONLacksHaveAPath(number: Double) throws {
    let tree = EncodableTree.object([
      .init(name: AnyCodingKey("a"), value: .array([.null, .double(number)]))
    ])
    do throws(EncodableTree.WritingStop) {
      _ = try tree.text()
      Issue.record("The tree has a text.")
    } catch {
      #expect(FieldPath(error.path).description == "a[1]")
      #expect(error.value == "\(number)")
    }
  }
}

/// Random trees with values and names that encoders write in special ways.
private struct RandomTree {
  private var random: SeededGenerator

  init(_ seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[random.below(values.count)]
  }

  private mutating func string() -> String {
    let parts = [
      "", "a", "b", "B", "é", "e\u{301}", "/", "\"", "\\", "\u{0}", "\u{8}\u{C}\n\r\t\u{1F}",
      "\u{7F}",
      "\u{2028}", "😀", "語", "_moho_json", "_moho_member _moho_", "long text without any escapes",
    ]
    return (0...random.below(3)).map { _ in pick(parts) }.joined()
  }

  private mutating func number() -> Double {
    let numbers: [Double] = [
      0, -0.0, 1, -1, 0.1, 1e-4, 9.9e-5, 1e-7, .leastNonzeroMagnitude, 1e15, 999_999_999_999_999,
      1e16,
      123_456_789.125,
      9_007_199_254_740_992, 1.7976931348623157e308, 1.0 / 3, 100.5,
    ]
    return random.oneIn(2) ? pick(numbers) : Double(bitPattern: random.next()).finite
  }

  mutating func tree(levels: Int) -> EncodableTree {
    switch random.below(levels > 0 ? 11 : 8) {
    case 0: return .null
    case 1: return .bool(random.oneIn(2))
    case 2: return .int64(pick([0, 1, -1, .min, .max]))
    case 3: return .uint64(pick([0, .max]))
    case 4: return .double(number())
    case 5:
      return .decimal(
        pick([0, 1.5, Decimal(string: "1e30") ?? 0, Decimal(string: "-0.000001") ?? 0]))
    case 6: return .string(string())
    case 7: return .codable(json(levels: min(levels, 3)), depth: 1)
    case 8, 9: return .array((0..<random.below(4)).map { _ in tree(levels: levels - 1) })
    default:
      var tree = EncodableTree.object([])
      for _ in 0..<random.below(5) {
        let name = string()
        // Encoders keep one of two names with equal characters.
        if case .object(let members) = tree,
          members.contains(where: { $0.name.stringValue == name })
        {
          continue
        }
        tree.insert(self.tree(levels: levels - 1), at: [.key(name)])
      }
      return tree
    }
  }

  private mutating func json(levels: Int) -> JSONValue {
    switch random.below(levels > 0 ? 8 : 5) {
    case 0: return .null
    case 1: return .number(number())
    case 2: return .integer(Int64(random.below(100)))
    case 3: return .string(string())
    case 4:
      let texts = ["18446744073709551616", "0.1234567890123456789", "1e-400", "1.0"]
      return JSONNumber(pick(texts)).map { .exact($0) } ?? .null
    case 5:
      return .array(JSONValue.Elements((0..<random.below(4)).map { _ in json(levels: levels - 1) }))
    default:
      return .object(
        JSONValue.Members(
          (0..<random.below(4)).map { _ in JSONValue.Member(string(), json(levels: levels - 1)) }))
    }
  }
}

extension Double {
  /// The number, or 1 if it is not finite.
  fileprivate var finite: Double { isFinite ? self : 1 }
}
