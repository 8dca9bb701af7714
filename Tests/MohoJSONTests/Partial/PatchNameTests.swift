import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Note: MappedModel, Equatable {
  var id: Int
  var others: JSONValue

  static let mapping = Mapping("Note", Note.init, .key("id", \.id), .unknown("others", \.others))
}

/// Names with other bytes are other members, also if Swift's strings are equal.
@Suite struct PatchNameTests {
  private let adapter = JSONAdapter<Note>()
  private let composed = "\u{e9}"
  private let decomposed = "e\u{301}"

  private func note(_ members: (String, JSONValue)...) -> Note {
    Note(id: 1, others: .object(members.map { JSONValue.Member($0.0, $0.1) }))
  }

  @Test func differencesDistinguishNamesByTheirBytes() throws {
    let notes = [
      note((composed, 1), (decomposed, 2)), note((composed, 1)), note((decomposed, 1)),
      note((decomposed, 2), (composed, 1)),
      note(("o", note((composed, 1), (decomposed, 2)).others)),
      note(("o", note((decomposed, 2)).others)), note(),
    ]
    for old in notes {
      for new in notes {
        #expect(Partial(from: old, to: new).applied(to: old) == new)
        let patch = try adapter.mergePatch(from: old, to: new)
        let patched = try adapter.partial(from: patch).applied(to: old)
        #expect(patched.others.byName == new.others.byName, "\(patch.text)")
      }
    }
    #expect(
      try adapter.mergePatch(from: notes[0], to: notes[1])
        == Data("{\"\(decomposed)\":null}".utf8))
  }

  @Test func patchesDistinguishNamesByTheirBytes() throws {
    let patch = try adapter.partial(from: "{\"\(composed)\":2}")

    #expect(patch.applied(to: note((decomposed, 1))) == note((decomposed, 1), (composed, 2)))
    let removal = try adapter.partial(from: "{\"\(decomposed)\":null}")
    #expect(
      patch.merging(removal).applied(to: note((decomposed, 1))) == note((composed, 2)))
    #expect(
      try adapter.data(from: patch.merging(removal))
        == Data("{\"\(composed)\":2,\"\(decomposed)\":null}".utf8))
  }
}

extension JSONValue {
  /// The value with members sorted by the bytes of their names.
  fileprivate var byName: JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { Member($0.key, $0.value.byName) }
        .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
  }
}
