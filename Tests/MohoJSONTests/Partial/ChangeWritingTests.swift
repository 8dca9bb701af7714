import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct ChangeWritingTests {
  private let adapter = JSONAdapter<Episode>()
  private let old = Episode(id: 7, title: "Lava", kind: .free, duration: 1.5)

  @Test func aChangeIsWrittenWithItsUniqueKey() throws {
    var new = old
    new.duration = nil

    let change = Partial(from: old, to: new, including: \.id)

    #expect(try adapter.data(from: change).text == #"{"id":7,"duration":null}"#)
    #expect(try adapter.partial(from: adapter.data(from: change)).applied(to: old) == new)
  }

  @Test func aSubsetIsWritten() throws {
    #expect(
      try adapter.data(from: Partial(old, only: \.kind, \.title)).text
        == #"{"title":"Lava","episode_type":"free"}"#)
  }

  @Test func severalChangesAreAnArray() throws {
    let changes = [Partial(old, only: \.id), Partial(), Partial(old).removing(\.kind, \.title)]

    let text = try adapter.data(from: changes).text

    #expect(text == #"[{"id":7},{},{"id":7,"duration":1.5}]"#)
    #expect(try adapter.data(from: changes[1...]).text == #"[{},{"id":7,"duration":1.5}]"#)
    #expect(try adapter.data(from: changes[..<0]).text == "[]")
  }

  @Test func valuesThatJSONCannotRepresentFailTheirPatch() {
    var change = Partial<Episode>()
    change[\.duration] = .nan

    #expect(
      messages { _ = try adapter.data(from: [Partial(), change]) } == [
        "invalid value: number nan, expected finite number - `Episode.duration` at /1/duration"
      ])
  }
}
