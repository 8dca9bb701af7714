import Foundation
import MohoMapping
import Testing

struct Refusal: Error, Equatable {}

struct Label: Hashable, Sendable {
  var text: String
}

extension Transform where Value == Label {
  /// Throws an error for an empty label.
  static let label = Transform<Label>(
    .string, read: { Label(text: try $0.string(at: $1)) },
    write: { label, encoder, index in
      guard !label.text.isEmpty else { throw Refusal() }
      try encoder.encode(label.text, at: index)
    })
}

/// A custom value that cannot be written if it is empty.
struct Mark: FieldValue, Hashable {
  var text: String

  static let fieldType = FieldType.string

  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Mark {
    Mark(text: try decoder.string(at: index))
  }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    guard !text.isEmpty else { throw Refusal() }
    try encoder.encode(text, at: index)
  }
}

struct Part: MappedModel, Hashable {
  var label: Label

  static let mapping = Mapping("Part", Part.init, .key("label", \.label, json: "a.label", .label))
}

struct Kit: MappedModel, Hashable {
  var label = Label(text: "x")
  var marks: [Mark] = []
  var named: [String: Mark] = [:]
  var labels: [Label] = []
  var byName: [String: Label] = [:]
  var set: Set<Mark> = []
  var parts: [Part] = []
  var part: Part?
  var inlined = Part(label: Label(text: "x"))

  static let mapping = Mapping(
    "Kit", Kit.init,
    .key("label", \.label, .label),
    .key("marks", \.marks),
    .key("named", \.named),
    .key("labels", \.labels, Transform<Label>.label.array),
    .key("byName", \.byName, Transform<Label>.label.dictionary),
    .key("set", \.set),
    .key("parts", \.parts),
    .key("part", \.part),
    .inlined("inlined", \.inlined))

  static let failing: [(kit: Kit, path: String, subject: String)] = {
    let label = Label(text: "")
    return [
      (Kit(label: label), "/label", "Kit.label"),
      (Kit(marks: [Mark(text: "a"), Mark(text: "")]), "/marks/1", "Kit.marks"),
      (Kit(named: ["a": Mark(text: "")]), "/named/a", "Kit.named"),
      (Kit(labels: [Label(text: "a"), label]), "/labels/1", "Kit.labels"),
      (Kit(byName: ["a": label]), "/byName/a", "Kit.byName"),
      (Kit(parts: [Part(label: label)]), "/parts/0/a/label", "Part.label"),
      (Kit(part: Part(label: label)), "/part/a/label", "Part.label"),
      (Kit(inlined: Part(label: label)), "/a/label", "Part.label"),
    ]
  }()
}

extension Kit: Codable {}

@Suite struct WritingFailureTests {
  private func expectFailure(
    _ path: String, _ subject: String, _ body: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: MappingError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == .invalidValue, sourceLocation: sourceLocation)
    #expect(error?.underlying is Refusal, sourceLocation: sourceLocation)
    #expect(error?.path?.pointer == path, sourceLocation: sourceLocation)
    #expect(
      "\(error?.model ?? "").\(error?.key ?? "")" == subject, sourceLocation: sourceLocation)
  }

  @Test(arguments: Kit.failing.indices)
  func aValueThatCannotBeWrittenIsAnErrorWithItsPath(_ number: Int) throws {
    let (kit, path, subject) = Kit.failing[number]

    expectFailure(path, subject) { _ = try JSONEncoder().encode(kit) }
  }

  @Test(arguments: Kit.failing.indices)
  func anElementOfACodableArrayHasItsIndexInThePath(_ number: Int) throws {
    let (kit, path, subject) = Kit.failing[number]

    expectFailure("/0" + path, subject) { _ = try JSONEncoder().encode([kit]) }
  }

  @Test func anErrorDescribesTheValueAndTheCause() throws {
    let error = #expect(throws: MappingError.self) {
      _ = try JSONEncoder().encode(Kit(labels: [Label(text: "")]))
    }

    #expect(
      error?.description
        == "invalid value: `Label(text: \"\")` - `Kit.labels` at /labels/0: Refusal()")
  }

  @Test func aMappingErrorOfATransformIsPreserved() throws {
    let transform = Transform<Label>(
      .string, read: { Label(text: try $0.string(at: $1)) },
      write: { _, _, _ in throw MappingError(.unsupported, found: "x", expected: "y") })
    let mapping = Mapping<Part>("Part", Part.init, .key("label", \.label, transform))

    let error = #expect(throws: MappingError.self) {
      try mapping.encode(Part(label: Label(text: "a")), to: FieldRecorder())
    }

    #expect(error?.description == "unsupported value: x, expected y - `Part.label`")
  }

  @Test func anUnwritableKeyOfAPartialModelIsNamed() throws {
    var partial = Partial<Kit>()
    partial[\.label] = Label(text: "")

    let error = #expect(throws: MappingError.self) {
      try Kit.mapping.encode(partial, to: FieldRecorder())
    }

    #expect(error?.key == "label" && error?.model == "Kit")
    #expect(error?.underlying is Refusal)
  }

  @Test func aReferenceToAModelWhoseKeyCannotBeWrittenIsAnError() throws {
    let error = #expect(throws: MappingError.self) {
      _ = try ModelReference(to: Tagged(tag: Label(text: "")))
    }

    #expect(error?.key == "tag" && error?.model == "Tagged")
    #expect(error?.underlying is Refusal)
  }
}

private struct Tagged: MappedModel {
  var tag: Label

  static let mapping = Mapping("Tagged", Tagged.init, .key("tag", \.tag, .label, .unique))
}
