import Foundation
import MohoMapping
import Testing

private struct OutOfRange: Error, Equatable {}

private struct Percent: Sendable, Equatable {
  var value: Int
}

private func checked(_ number: Int) throws -> Int {
  guard (0...100).contains(number) else { throw OutOfRange() }
  return number
}

private let percent = Transform<Int>.standard.map(
  to: { Percent(value: try checked($0)) }, from: { try checked($0.value) })

private struct Score: MappedModel, Equatable {
  var share: Percent
  var shares: [Percent] = []

  static let mapping = Mapping(
    "Score", Score.init, .key("share", \.share, percent),
    .key("shares", \.shares, percent.array, default: []))
}

extension Score: Codable {}

@Suite struct FailingTransformTests {
  @Test func aThrowingFunctionFailsReading() throws {
    let error = #expect(throws: MappingError.self) {
      try JSONDecoder().decode(Score.self, from: Data(#"{"share": 101}"#.utf8))
    }

    #expect(error?.code == .invalidValue && error?.path?.pointer == "/share")
    #expect(error?.underlying as? OutOfRange == OutOfRange())
  }

  @Test func aThrowingFunctionFailsWriting() throws {
    let error = #expect(throws: MappingError.self) {
      try JSONEncoder().encode(Score(share: Percent(value: 5), shares: [Percent(value: 101)]))
    }

    #expect(error?.code == .invalidValue && error?.path?.pointer == "/shares/0")
    #expect(error?.underlying as? OutOfRange == OutOfRange())
  }

  @Test func throwingFunctionsThatDoNotThrowChangeNothing() throws {
    let score = Score(share: Percent(value: 5), shares: [Percent(value: 100)])

    #expect(try JSONDecoder().decode(Score.self, from: JSONEncoder().encode(score)) == score)
  }
}
