import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Comparing each member with each other one would take many minutes.
@Suite(.timeLimit(.minutes(1))) struct LargePatchTests {
  private let adapter = JSONAdapter<Unknown.OpenPart>()

  private func object(_ count: Int, _ value: Int) -> String {
    "{" + (0..<count).map { #""m\#($0)":\#(value)"# }.joined(separator: ",") + "}"
  }

  @Test func readingAndApplyingAPatchAreLinearInItsMembers() throws {
    let patch = try adapter.partial(from: object(50_000, 1))
    let next = try adapter.partial(from: object(50_000, 2))
    let part = Unknown.OpenPart(title: "t", others: ["z": 1])

    let patched = patch.merging(next).applied(to: part)

    #expect(patched.others.count == 50_001)
    #expect(patched.others["m49999"] == 2)
    #expect(Partial(from: part, to: patched).applied(to: part) == patched)
  }

  @Test func mergingObjectsIsLinearInTheirMembers() throws {
    func part(_ count: Int, _ value: Int) throws -> Unknown.OpenPart {
      let value = try JSONDocument(parsing: object(count, value)).value() ?? .null
      return Unknown.OpenPart(title: "t", others: ["o": value])
    }
    let (old, new) = (try part(50_000, 1), try part(49_999, 2))

    let difference = Partial(from: old, to: new)
    let read = try adapter.partial(from: #"{"o":\#(object(50_000, 3))}"#)

    var other = old
    other.others["z"] = 1
    let patched = difference.merging(read).applied(to: other)
    #expect(patched.others["o"] == read[\.others]?["o"])
    #expect(patched.others["z"] == 1)
    #expect(difference.applied(to: other).others["o"] == new.others["o"])
  }
}
