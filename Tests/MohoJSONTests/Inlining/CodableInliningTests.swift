import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Span: MappedModel, Equatable {
  var location: Int
  var length: Int
  static let mapping = Mapping<Span>(
    "Span", Span.init, .key("location", \.location), .key("length", \.length))
}

private struct Mark: MappedModel, Equatable {
  var name: String
  var span: Span
  static let mapping = Mapping<Mark>(
    "Mark", Mark.init, .key("name", \.name), .inlined("span", \.span))
}

extension Mark: Codable {}

private enum Shape: MappedModel, Equatable {
  case mark(Mark)
  case span(Span)
  static let mapping = Mapping<Shape>(
    "Shape", discriminator: "meta.type",
    .variant("mark", Shape.mark) { if case .mark(let mark) = $0 { mark } else { nil } },
    .variant("span", Shape.span) { if case .span(let span) = $0 { span } else { nil } })
}

extension Shape: Codable {}

@Suite struct CodableInliningTests {
  @Test func anInlinedModelIsCodable() throws {
    let mark = Mark(name: "a", span: Span(location: 1, length: 2))

    let data = try JSONEncoder().encode(mark)

    #expect(try JSONDecoder().decode(Mark.self, from: data) == mark)
    #expect(try JSONAdapter<Mark>().model(from: data) == mark)
  }

  @Test func aClusterIsCodable() throws {
    let shapes: [Shape] = [
      .mark(Mark(name: "a", span: Span(location: 1, length: 2))),
      .span(Span(location: 3, length: 4)),
    ]

    let data = try JSONEncoder().encode(shapes)

    #expect(try JSONDecoder().decode([Shape].self, from: data) == shapes)
    #expect(try JSONAdapter<Shape>().models(from: data) == shapes)
  }
}
