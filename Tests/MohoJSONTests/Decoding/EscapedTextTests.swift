import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Texts with characters at the boundaries of the lengths in UTF-8 and UTF-16.
@Suite struct EscapedTextTests {
  private struct Texts: MappedModel {
    var texts: [String]
    var named: [String: Int]

    static let mapping = Mapping(
      "Texts", Texts.init, .key("texts", \.texts), .key("named", \.named, default: [:]))
  }

  private static let adapters = [JSONAdapter<Texts>(), JSONAdapter<Texts>().withoutFastPath]

  /// Swift considers composed and decomposed characters equal.
  private func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  private static func escape(_ unit: UInt32) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  @Test func eachEscapedCodeUnitIsItsCharacter() throws {
    let scalars = (UInt32(0)...0xFFFF).compactMap { Unicode.Scalar($0) }
    let text = scalars.map { "\"\(Self.escape($0.value))\"" }.joined(separator: ",")

    for adapter in Self.adapters {
      let found = try adapter.model(from: "{\"texts\":[\(text)]}").texts
      #expect(bytes(found) == bytes(scalars.map { String($0) }))
    }
  }

  @Test func eachPairOfEscapedSurrogatesIsItsCharacter() throws {
    let lows: [UInt32] = [0xDC00, 0xDE35, 0xDFFF]
    let pairs: [[UInt32]] = (UInt32(0xD800)...0xDBFF).flatMap { high in lows.map { [high, $0] } }
    let expected = pairs.map { String(decoding: $0.map { UInt16($0) }, as: UTF16.self) }
    let text = pairs.map { "\"\($0.map(Self.escape).joined())\"" }.joined(separator: ",")

    for adapter in Self.adapters {
      let found = try adapter.model(from: "{\"texts\":[\(text)]}").texts
      #expect(bytes(found) == bytes(expected))
    }
  }

  @Test func charactersOfEachLengthAreReadInTextsAndNames() throws {
    let scalars: [Unicode.Scalar] = [
      "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFF}", "\u{1000}", "\u{D7FF}", "\u{E000}",
      "\u{FFFF}", "\u{10000}", "\u{3FFFF}", "\u{40000}", "\u{10FFFF}",
    ]
    for scalar in scalars {
      let escaped = String(scalar).utf16.map { Self.escape(UInt32($0)) }.joined()
      for form in [String(scalar), escaped] {
        let text = "a\(form)b"
        for adapter in Self.adapters {
          let found = try adapter.model(from: #"{"texts":["\#(text)"],"named":{"\#(text)":1}}"#)
          #expect(bytes(found.texts) == bytes(["a\(scalar)b"]), "\(scalar.value)")
          #expect(bytes(found.named.map(\.key)) == bytes(["a\(scalar)b"]), "\(scalar.value)")
        }
      }
    }
  }
}
