import MohoMapping
import Testing

/// A set of sets.
private struct Sets: FieldValue, Hashable {
  static let fieldType = FieldType.array
  static let fieldSchema = FieldSchema.array(of: .any)

  var name: Int
  var sets: Set<Sets>

  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Sets {
    Sets(name: 0, sets: try Set<Sets>.decode(from: decoder, at: index))
  }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try sets.encode(to: encoder, at: index)
  }
}

@Suite struct NestedSetTests {
  /// Sorting the elements records them. If each level were recorded twice, 40 levels
  /// would take hours.
  @Test func nestedSetsAreWrittenInReasonableTime() throws {
    let sets = (1...40).reduce(Sets(name: 0, sets: [])) { inner, name in
      Sets(name: name, sets: [inner, Sets(name: -name, sets: [])])
    }

    let content = try FieldRecorder.content(of: sets)

    guard case .array(let elements) = content else { return #expect(Bool(false)) }
    #expect(elements.count == 2)
    #expect(elements == elements.sorted { $0.precedes($1) })
    let text = try StructuredText.text(at: FieldPath([])) { try sets.encode(to: $0, at: 0) }
    #expect(text == (1...40).reduce("[]") { text, _ in "[[],\(text)]" })
  }
}
