import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Predictions from earlier objects do not make the scanner less strict.
@Suite struct KeyPredictionTests {
  private let adapter = JSONAdapter<ScannedShow>()

  /// The elements of an array that take the fast path.
  private func scanned(_ elements: [String]) throws -> [Bool] {
    var scanned: [Bool] = []
    let fields = adapter.fields(from: Data("[\(elements.joined(separator: ","))]".utf8))
    // The last call for an element decides.
    var last = false
    _ = try fields.forEach {
      last = $0 is any UTF8Source
    } _: { _ in
      scanned.append(last)
    }
    return scanned
  }

  /// Whether both paths report the same error about an array.
  private func isRefused(_ elements: [String]) -> Bool {
    let data = Data("[\(elements.joined(separator: ","))]".utf8)
    let verdict = Verdict { try adapter.models(from: data) }
    guard case .refused = verdict else { return false }
    return verdict == Verdict { try adapter.withoutFastPath.models(from: data) }
  }

  private static let counts = [1, 2, 6, 7, 40, 61, 62, 63, 64, 65, 66, 256, 257]

  private func members(_ numbers: some Sequence<Int>) -> String {
    numbers.map { #""key \#($0)":\#($0)"# }.joined(separator: ",")
  }

  @Test(arguments: counts, [true, false])
  func duplicateKeysAreFound(count: Int, isInside: Bool) throws {
    func object(_ members: String) -> String {
      isInside ? #"{"id":1,"x":{\#(members)}}"# : #"{"id":1,\#(members)}"#
    }
    let tidy = object(members(0..<count))
    for twice in Set([0, count / 2, count - 1]) {
      let again = object(members(Array(0..<count) + [twice]))
      let escaped = object(members(0..<count) + #","\u006bey \#(twice)":0"#)
      let before = object(#""\u006bey \#(twice)":0,"# + members(0..<count))

      for double in [again, escaped, before] {
        #expect(isRefused([tidy, tidy, double]))
        #expect(isRefused([double]))
      }
    }
  }

  @Test(arguments: counts, [true, false])
  func objectsCanHaveDifferentKeys(count: Int, isInside: Bool) throws {
    func object(_ numbers: some Sequence<Int>) -> String {
      let members = members(numbers)
      return isInside ? #"{"id":1,"x":{\#(members)}}"# : #"{\#(members),"id":1}"#
    }
    let objects = [
      object(0..<count), object(0..<count), object((0..<count).reversed()),
      object(stride(from: 0, to: count, by: 2)), object(stride(from: 0, to: count, by: 3)),
      object(1_000..<1_000 + count), object(0..<count),
    ]

    #expect(try scanned(objects) == objects.map { _ in true })
  }

  @Test func keysWithoutAPredictionAreDecoded() throws {
    let odd = [
      #"{"id":1,"x":{"a":1 "b":2}}"#, #"{"id":1,"x":{"a":1,"b"}}"#, #"{"id":1,"x":{"a":1,}}"#,
      // A NUL byte instead of a colon.
      #"{"id":1,"x":{"a"\#u{0}1,"b":2}}"#,
    ]
    let tidy = #"{"id":1,"x":{"a":1,"b":2}}"#
    for text in odd { #expect(isRefused([tidy, tidy, text])) }
  }

  @Test func deepModelsAreReadAlike() throws {
    let adapter = JSONAdapter<ScannedTrack>()
    for depth in [1, 10, 120, 126, 127, 128, 200] {
      let opening = String(repeating: #"{"id":1,"remixes":["#, count: depth)
      let text = opening + String(repeating: "]}", count: depth)
      let data = Data("[\(text),\(text)]".utf8)
      #expect(
        Verdict { try adapter.lossyModels(from: data) }
          == Verdict { try adapter.withoutFastPath.lossyModels(from: data) }, "\(depth) levels")
    }
  }

  private struct Level: MappedModel, Equatable {
    var parts: [Level]
    static let mapping = Mapping("Level", Level.init, .key("parts", \.parts))
  }

  private struct Box: MappedModel, Equatable {
    var id: Int
    var level: Level
    static let mapping = Mapping("Box", Box.init, .key("id", \.id), .key("level", \.level))
  }

  @Test func deepModelsInRepeatedObjectsAreReadAlike() throws {
    let adapter = JSONAdapter<Box>()
    for depth in [1, 125, 126, 127, 128, 129] {
      let level =
        String(repeating: #"{"parts":["#, count: depth) + String(repeating: "]}", count: depth)
      let boxes = Array(repeating: #"{"id":1,"level":\#(level)}"#, count: 4)
      let data = Data("[\(boxes.joined(separator: ","))]".utf8)
      #expect(
        Verdict { try adapter.lossyModels(from: data) }
          == Verdict { try adapter.withoutFastPath.lossyModels(from: data) }, "\(depth) levels")
    }
  }
}
