import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

/// Decoded arrays and objects, which are text until they are accessed, beside the same values
/// of the diagnostic path, which are not.
@Suite struct DecodedValueTests {
  private func decoded(_ text: String) throws -> JSONValue {
    try JSONAdapter<Field<JSONValue>>().model(from: Data(#"{"value":\#(text)}"#.utf8)).value
  }

  private func parsed(_ text: String) throws -> JSONValue {
    try #require(try JSONDocument(parsing: text).value())
  }

  /// The text of a value in the dictionary of a column.
  private func stored(_ value: JSONValue) throws -> String {
    try StructuredText.text(at: FieldPath([])) { encoder in
      try ["key": [value]].encode(to: encoder, at: 0)
    }
  }

  private func expectAgreement(_ text: String, _ comment: @autoclosure () -> Comment = "") throws {
    let (value, expected) = (try decoded(text), try parsed(text))
    for formatting in [JSONFormatting.compact, .sorted, .pretty, [.pretty, .sorted]] {
      #expect(
        try value.data(formatting: formatting).text == expected.data(formatting: formatting).text,
        "\(text) \(comment())")
    }
    #expect(value.description == expected.description, "\(text) \(comment())")
    #expect(try stored(value) == stored(expected), "\(text) \(comment())")
    #expect(try value.storedText() == expected.storedText(), "\(text) \(comment())")
    #expect(try decoded(text) == value, "\(text) \(comment())")
    #expect(value == expected && expected == value, "\(text) \(comment())")
    #expect(value.hashValue == expected.hashValue, "\(text) \(comment())")
    try expectSameParts(value, expected)
  }

  private func expectSameParts(_ value: JSONValue, _ expected: JSONValue) throws {
    #expect(value.kind == expected.kind)
    switch (value, expected) {
    case (.array(var elements), .array(var others)):
      #expect(elements.count == others.count && elements.elementsEqual(others))
      elements.append(1)
      others.append(1)
      #expect(elements == others)
      #expect(try JSONValue.array(elements).data() == JSONValue.array(others).data())
    case (.object(let members), .object(let others)):
      #expect(members.count == others.count && members.elementsEqual(others))
      var (changed, expected) = (value, expected)
      changed["new"] = [nil]
      expected["new"] = [nil]
      #expect(try changed.data() == expected.data())
      #expect(changed != value || members.contains { $0.key == "new" })
    default: break
    }
  }

  @Test func randomValuesAreEqualToTheirParts() throws {
    var count = 0
    for seed in Campaign.scanSeeds {
      var random = RandomShow(seed: seed)
      let text = String(decoding: random.object(), as: UTF8.self)
      guard (try? parsed(#"{"value":[\#(text)]}"#)) != nil else { continue }
      try expectAgreement(text, "seed \(seed)")
      try expectAgreement("[\(text), \(text)]", "seed \(seed)")
      count += 1
    }
    #expect(count > Campaign.scanSeeds.count / 2)
  }

  @Test(
    arguments: [
      "[]", "{}", "[1]", " [ 1 , 2 ] ", #"{"a":1}"#, #"{ "b" : {"a":[ ]} , "a" : [{}] }"#,
      #"["\u0061","\/","\"","\\","\n","\u0001","é","\u00e9","\ud83d\ude00",""]"#,
      #"{"\u0061":1,"b":2}"#, #"{"b":1,"\u0061":2}"#, #"{"é":1,"z":2}"#, #"{"z":1,"é":2}"#,
      "[-0,0,-1,1.0,1.5,-2.50,0.1,0.0001,0.00001,-0.0,0.0,1e2,1E-2,100.0]",
      "[123456789012345678,-123456789012345678,9223372036854775807,9223372036854775808]",
      "[12345678901234.5,123456789012345.6,0.123456789012345,0.0123456789012345678]",
      "[18446744073709551616,1e23,0.30000000000000004,123456789012345678901234567890.5]",
      "[true,false,null,[true,[false,[null]]]]", #"{"a":{"c":1,"b":2},"b":[{"d":1,"c":2}]}"#,
      #"{"_moho_json":1}"#, #"{"b":{"_moho_json":"[1]"},"a":1}"#, #"{"_moho_x":1,"a":{}}"#,
    ]) func valuesAreEqualToTheirParts(text: String) throws
  {
    try expectAgreement(text)
    try expectAgreement("[\(text)]")
    try expectAgreement(#"{"z":\#(text),"a":\#(text)}"#)
  }

  @Test(arguments: [1, 31, 32, 33, 61, 62, 63, 64, 65, 127, 128, 254, 255, 256, 257, 300])
  func valuesOfAnyDepthAreEqualToTheirParts(depth: Int) throws {
    let array = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
    let object =
      String(repeating: #"{"a":[],"b":"#, count: depth) + "1"
      + String(repeating: "}", count: depth)

    for text in [array, object] {
      let (value, expected) = (try decoded(text), try parsed(text))
      #expect(try value.data() == expected.data())
      #expect(value == expected)
      let (storedValue, storedExpected) = (
        Result { try stored(value) }, Result { try stored(expected) }
      )
      #expect(
        (try? storedValue.get()) == (try? storedExpected.get()))
    }
  }

  @Test func aValueInsideManyLevelsIsRefusedAsItsParts() throws {
    let inner = try decoded(String(repeating: "[", count: 100) + String(repeating: "]", count: 100))
    for levels in [1_947, 1_948, 1_949, 1_950] {
      var (value, expected) = (inner, try parsed(inner.description))
      for _ in 0..<levels { (value, expected) = ([value], [expected]) }
      #expect((try? value.data()) == (try? expected.data()), "\(levels)")
      #expect(((try? value.data()) != nil) == (levels <= 1_948), "\(levels)")
    }
  }

  @Test func aChangedCopyLeavesTheValueUnchanged() throws {
    let value = try decoded(#"{"a":{"b":[1,2]}}"#)
    var copy = value

    copy["a"]?["b"] = [3]

    #expect(value.description == #"{"a":{"b":[1,2]}}"#)
    #expect(copy.description == #"{"a":{"b":[3]}}"#)
    #expect(value["a"]?["b"]?[1] == 2)
  }

  @Test func threadsAccessTheSamePartsAtOnce() async throws {
    let text = "[" + (0..<500).map { #"{"n":\#($0)}"# }.joined(separator: ",") + "]"
    for _ in 0..<20 {
      let value = try decoded(text)
      let sums = await withTaskGroup(of: Int64.self) { group in
        for _ in 0..<8 {
          group.addTask {
            guard case .array(let elements) = value else { return -1 }
            return elements.reduce(0) { sum, element in
              guard case .integer(let number)? = element["n"] else { return -1 }
              return sum + number
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(sums == Array(repeating: 499 * 250, count: 8))
    }
  }
}
