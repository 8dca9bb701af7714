#if canImport(CJansson)
  import Campaigns
  import Foundation
  import Testing

  @testable import MohoJSON
  import MohoMapping

  /// The cursor and libjansson accept the same texts, and report the same error about
  /// the others: code, offset and message.
  @Suite struct JanssonVerdictTests {
    @Test(arguments: [
      "[1 2]", #"{"a" 1}"#, #"{"a":1,}"#, "[1,]", "{1:2}", "[truex]", "[true1]", "[01]", "[+1]",
      "[1.]", "[1.x]", "[-]", "[-x]", "[1e]", "[1e+]", "[NaN]", "'a'", "[1] x", "[1]]", "1 1e999",
      #"[] "\q""#, #"{"a" 01}"#, #"{"a" 1e999}"#, #"["a" "\ud800"]"#, #"["\ud800 \q"]"#,
      #"["\ud83d\uZ"]"#, #"["\u12"#, #"["\"#, #"["a"#, "[tru", "[1", "[1.", "[-", #"{"a""#,
      #"{"a":"#,
      "{", "[", "[1,", "{,", "[,", "[:]", "[}", "[1}", #"{"a":1]"#, #"{"a":1,"a":2}"#,
      #"{"a":1,"\u0061" 2}"#, "[1e999]", "[-1e999x]", "[123456789012345678901234567890]",
      "[99999999999999999999e999]", "[é]", "[1é]", "[trueé]", "\u{FEFF}[1,]", "\u{FEFF}[\u{FEFF}]",
      "nul", "n", "nullx", "-", "\"", "[\"\u{1}\"]", "[\"a\n\"]", #"["\u00zz"]"#, #"["\é"]"#,
      "[1]\u{FEFF}", "[[[1,2],[3}]]", "0e", "-0.0e-0", "[0.1.2]", "[1e5e5]", "[\"a\" 1",
      #"{"a":1 2"#,
    ])
    func brokenTextsHaveTheSameError(text: String) {
      compare(Array(text.utf8))
    }

    @Test(
      arguments: [
        [0x5B, 0xFF], [0x5B, 0x31, 0xFF], [0x5B, 0x30, 0x31, 0xFF], [0x5B, 0x74, 0xFF],
        [0x22, 0xE2, 0x82],
        [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0x5C, 0xFF, 0x22], [0x22, 0x01, 0xFF],
        [0x31, 0x20, 0xC0],
        [0x22, 0x5C, 0x75, 0x64, 0x38, 0x30, 0x30, 0xFF, 0x22], [0x2D, 0xFF], [0x31, 0x2E, 0xFF],
      ] as [[UInt8]])
    func bytesThatAreNotUTF8HaveTheSameError(bytes: [UInt8]) {
      compare(bytes)
    }

    @Test(arguments: 2045...2050)
    func deepTextsHaveTheSameError(depth: Int) {
      for inside in ["", "1", "[]", "{}", "\"\\q\"", "1e999", "é", "]"] {
        let opening = String(repeating: "[", count: depth)
        let closing = String(repeating: "]", count: depth)
        compare(Array((opening + inside + closing).utf8))
        compare(Array((opening + inside).utf8))
        let objects = String(repeating: #"{"a":"#, count: depth)
        compare(Array((objects + inside + String(repeating: "}", count: depth)).utf8))
      }
    }

    @Test func everyByteAtEveryPositionHasTheSameError() {
      let text = Array(#"{"a": [-1.5e3, "b\u00e9\n", true], "é": null}"#.utf8)
      for position in text.indices {
        for byte in UInt8.min...UInt8.max {
          var changed = text
          changed[position] = byte
          compare(changed)
        }
        compare(Array(text[..<position]))
      }
    }

    @Test func randomDocumentsHaveTheSameVerdict() {
      let count = Campaign.count("MOHO_FUZZ_CASES", short: 1_000, full: 3_000)
      for seed in 0..<UInt64(count) {
        var document = RandomDocument(seed: seed)
        let text = seed.isMultiple(of: 2) ? document.array() : document.feed()
        compare(seed.isMultiple(of: 8) ? text : document.mutation(of: text), seed: seed)
      }
    }

    /// Compares the verdicts on a text without NUL bytes and keys with U+0000.
    private func compare(_ bytes: [UInt8], seed: UInt64 = 0) {
      let text = String(decoding: bytes, as: UTF8.self)
      guard !bytes.contains(0), !text.contains(#"\u0000"#) else { return }
      bytes.withUnsafeBytes { bytes in
        var fault: SyntaxFault?
        do throws(CursorStop) {
          try NodeTree().scan(document: bytes)
        } catch {
          guard case .invalid(let error) = error else {
            Issue.record("seed \(seed): \(text): \(error)")
            return
          }
          fault = error
        }
        if fault?.code == .emptyInput { return }
        #expect(fault == JanssonVerdict.fault(in: bytes), "seed \(seed): \(text)")
      }
    }
  }
#endif
