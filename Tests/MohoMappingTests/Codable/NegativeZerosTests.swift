import Foundation
import MohoTesting
import Testing

@testable import MohoMapping

@Suite struct NegativeZerosTests {
  @Test(
    arguments: [
      ("-0", "0"), ("0", "0"), ("[-0,0,-0]", "[0,0,0]"), (#"{"a":-0,"b":-0}"#, #"{"a":0,"b":0}"#),
      ("[-1,-0.5,-10,-0]", "[-1,-0.5,-10,0]"), (#"{"-0":"-0"}"#, #"{"-0":"-0"}"#),
      (#"["\"",-0,"\",-0,"]"#, #"["\"",0,"\",-0,"]"#), (#"["\\",-0]"#, #"["\\",0]"#),
      (#"["\\\"",-0,"-0]"]"#, #"["\\\"",0,"-0]"]"#), ("", ""), (#""-0""#, #""-0""#),
      ("[1e-07,-0]", "[1e-07,0]"),
    ])
  func onlyNumbersLoseTheirSign(json: String, expected: String) {
    #expect(NegativeZeros.removed(from: Data(json.utf8)) == expected)
  }

  @Test func textsOfEncodersHaveTheSameValues() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let names = ["-0", "\"", "\\", "\\\"", ",-0,", "é", "a"]
    for _ in 0..<500 {
      var values: [String: [Double]] = [:]
      for _ in 0..<random.below(4) {
        values[names[random.below(names.count)]] = (0..<random.below(4)).map { _ in
          [-0.0, 0, -0.5, -1e-7, 1e300][random.below(5)]
        }
      }

      let text = NegativeZeros.removed(from: try JSONEncoder().encode(values))

      let read = try JSONDecoder().decode([String: [Double]].self, from: Data(text.utf8))
      #expect(read == values, "seed \(seed): \(text)")
      let zeros = read.values.joined().filter(\.isZero)
      #expect(zeros.allSatisfy { $0.sign == .plus }, "seed \(seed): \(text)")
    }
  }
}
