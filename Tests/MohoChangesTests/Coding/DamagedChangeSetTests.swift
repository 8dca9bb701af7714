import Campaigns
import Foundation
import MohoChanges
import MohoTesting
import Testing

@Suite struct DamagedChangeSetTests {
  @Test(arguments: [
    (#"{"rows":[{"id":1}]}"#, "invalid record: found no path, expected an old path"),
    (#"{"rows":[{"id":1,"new":[0,0],"move":true}]}"#, "found a move or changed keys with one path"),
    (#"{"rows":[{"id":1,"old":[0,0],"changed":["a"]}]}"#, "found a move or changed keys with one"),
    (#"{"rows":[{"id":1,"old":[0,0],"new":[0,0]}]}"#, "found neither a move nor changed keys"),
    (#"{"rows":[{"id":1,"old":[0,0],"new":[0,1],"move":true,"changed":[]}]}"#, "an empty list"),
    (#"{"rows":[{"id":1,"new":[0,-1]}]}"#, "invalid index: found -1, expected 0 to 1073741824"),
    (#"{"rows":[{"id":1,"new":[1073741825,0]}]}"#, "invalid index: found 1073741825"),
    (#"{"sections":[{"insert":-1,"key":1}]}"#, "invalid index: found -1"),
    (#"{"rows":[{"id":1,"new":[0,1,2]}]}"#, "invalid path: found more than two numbers"),
    (#"{"rows":[{"id":"x","new":[0,1]}]}"#, "invalid integer"),
    (#"{"rows":[{"id":"01","new":[0,1]}]}"#, "invalid integer"),
    (#"{"sections":[{"key":1}]}"#, "found 0 of `delete`, `insert` and `update`"),
    (
      #"{"sections":[{"key":1,"insert":0,"delete":0}]}"#,
      "found 2 of `delete`, `insert` and `update`"
    ),
    (#"{"sections":[{"insert":0,"key":{"color":5}}]}"#, "invalid section key"),
    (#"{"sections":[{"insert":0,"key":{"real":"2"}}]}"#, "invalid section key"),
    (
      #"{"rows":[{"id":1,"new":[0,0]},{"id":1,"old":[0,0]}]}"#,
      "repeated record: found two records of a row, expected one - row 1"
    ),
    (
      #"{"rows":[{"id":1,"new":[0,0]},{"id":2,"new":[0,0]}]}"#,
      "repeated record: found two records with the new path [0, 0], expected one - row 2"
    ),
    (
      #"{"rows":[{"id":1,"old":[0,3]},{"id":2,"old":[0,3],"new":[0,0],"move":true}]}"#,
      "repeated record: found two records with the old path [0, 3]"
    ),
    (
      #"{"sections":[{"delete":0,"key":1},{"delete":0,"key":2}]}"#,
      "repeated record: found two records that delete section 0"
    ),
    (
      #"{"sections":[{"insert":0,"key":1},{"insert":1,"key":1}]}"#,
      "repeated record: found two records that insert the section 1"
    ),
    (
      #"{"sections":[{"insert":0,"key":{"all":true}},{"insert":1,"key":1}]}"#,
      "expected it to be the only section"
    ),
    (
      #"{"sections":[{"insert":0,"key":1}],"rows":[{"id":1,"new":[0,1]}]}"#,
      "found the new path [0, 1] in a section that is deleted or inserted"
    ),
    (
      #"{"sections":[{"delete":2,"key":1}],"rows":[{"id":1,"old":[2,0]},{"id":2,"old":[2,2]}]}"#,
      "expected a record of [2, 1] - row 2"
    ),
    (
      #"{"rows":[{"id":1,"old":[0,0],"new":[0,1],"changed":["a"]}]}"#,
      "inconsistent positions: found an update from [0, 0] to [0, 1]"
    ),
    (
      #"{"rows":[{"id":1,"old":[0,0],"new":[1,0],"changed":["a"]}]}"#,
      "inconsistent positions: found an update from [0, 0] to [1, 0]"
    ),
    (
      #"{"sections":[{"delete":0,"key":1},{"insert":0,"key":2}],"#
        + #""rows":[{"id":1,"old":[0,0],"new":[0,0],"changed":["a"]}]}"#,
      "inconsistent positions: found an update from [0, 0] to [0, 0]"
    ),
    (
      #"{"rows":[{"id":1,"old":[0,0],"new":[0,1],"changed":["a"]},"#
        + #"{"id":2,"old":[0,1],"new":[0,0],"changed":["a"]}]}"#,
      "inconsistent positions: found an update from [0, 0] to [0, 1]"
    ),
    (
      #"{"summaries":[{"key":1,"update":0}]}"#,
      "found 0 changed keys of a section with the record `update`, expected some"
    ),
    (
      #"{"sections":[{"key":1,"insert":0,"changed":["count"]}]}"#,
      "found 1 changed keys of a section with the record `insert`, expected none"
    ),
    (
      #"{"sections":[{"key":1,"insert":0}],"summaries":[{"key":1,"update":0,"changed":["count"]}]}"#,
      "found an update of the section 1, which is also deleted or inserted"
    ),
    (
      #"{"summaries":[{"key":1,"update":0,"changed":["a"]},{"key":2,"update":0,"changed":["a"]}]}"#,
      "found two records that update section 0"
    ),
  ])
  func contradictionIsADecodingError(json: String, message: String) {
    let error = #expect(throws: DecodingError.self) { try ChangeSet(json: json) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains(message))
  }

  @Test(arguments: [
    "", "[]", "5", "null", #"{"rows":{}}"#, #"{"rows":[5]}"#, #"{"rows":[{"new":[0,0]}]}"#,
    #"{"rows":[{"id":1.5,"new":[0,0]}]}"#, #"{"rows":[{"id":1,"new":[0]}]}"#,
    #"{"rows":[{"id":1,"new":[0,1.5]}]}"#, #"{"rows":[{"id":1,"new":"[0,0]"}]}"#,
    #"{"rows":[{"id":1,"new":[0,9223372036854775808]}]}"#,
    #"{"rows":[{"id":1,"old":[0,0],"new":[0,0],"move":1}]}"#,
    #"{"rows":[{"id":1,"old":[0,0],"new":[0,0],"changed":"title"}]}"#,
    #"{"rows":[{"id":1,"old":[0,0],"new":[0,0],"changed":[1]}]}"#,
    #"{"sections":[{"insert":0}]}"#, #"{"sections":[{"insert":0,"key":true}]}"#,
    #"{"sections":[{"insert":0,"key":[1]}]}"#, #"{"sections":[{"insert":"0","key":1}]}"#,
    #"{"sections":[{"insert":0,"key":1e999}]}"#,
  ])
  func otherShapeIsADecodingError(json: String) {
    #expect(throws: DecodingError.self) { try ChangeSet(json: json) }
  }

  @Test func errorHasTheCodingPathAndTheUnderlyingError() throws {
    let json = #"{"rows":[{"id":1,"new":[0,0]},{"id":2,"new":[0,-7]}]}"#
    let error = #expect(throws: DecodingError.self) { try ChangeSet(json: json) }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }

    #expect(context.codingPath.map(\.stringValue) == ["rows", "Index 1", "new"])
    #expect((context.underlyingError as? ChangeSetError)?.code == .invalidIndex)
  }

  /// Damaged text is refused, or gives records that no projection and no list
  /// traps on.
  @Test func damagedTextNeverTraps() throws {
    let seedCount: UInt64 = 10
    let steps = Campaign.count("MOHO_CHANGE_STEPS", short: 3_000, full: 30_000)
    var outcomes: [String: Int] = [:]
    for seed in 1...seedCount {
      var list = RandomList(seed: seed, sectioned: seed % 3 != 0)
      var damage = Damage(seed: seed)
      var index = try list.index()
      for _ in 0..<max(1, steps / Int(seedCount) / 10) {
        let changedKeys = list.mutate()
        let next = try list.index()
        let json = try ChangeSet(from: index, to: next, changedKeys: changedKeys).json
        for _ in 0..<10 {
          let outcome = try replay(damage.damaged(json), on: index, next)
          outcomes[outcome, default: 0] += 1
        }
        index = next
      }
    }
    #expect(Set(outcomes.keys) == ["refused", "mismatch", "applied"])
  }

  private func replay(
    _ json: String, on index: OrderedIndex, _ next: OrderedIndex
  ) throws -> String {
    let changes: ChangeSet
    do {
      changes = try ChangeSet(json: json)
    } catch {
      #expect(error is DecodingError, "\(json)")
      return "refused"
    }
    #expect(try ChangeSet(json: changes.json) == changes, "\(json)")
    _ = changes.batchPlan
    _ = changes.stagedPlan(oldSectionCount: index.sectionCount)
    _ = changes.inverse.batchPlan
    for (old, new) in [(index, next), (next, index), (index, index)] {
      _ = changes.sequentialEdits(from: old, to: new)
      _ = changes.splices(from: old, to: new)
      _ = changes.difference(from: old, to: new)
      _ = changes.followed(by: changes, from: old, to: new, keys: RandomList.keys)
    }
    do {
      let applied = try index.applying(changes)
      #expect(applied.invariantViolation == nil, "\(json)")
      #expect(try applied.applying(changes.inverse) == index, "\(json)")
      return "applied"
    } catch {
      #expect(error.code == .listMismatch, "\(json)")
      return "mismatch"
    }
  }
}

/// Random damage of JSON text.
private struct Damage {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed ^ 0xDA3A6E) }

  mutating func damaged(_ json: String) -> String {
    var text = Array(json.utf8)
    for _ in 0...generator.below(2) {
      let position = generator.below(max(1, text.count))
      switch generator.below(6) {
      case 0:
        let replacement = Array(
          ["0", "1", "-1", "1073741824", "7", "\"x\"", "null"][
            generator.below(7)
          ].utf8)
        replaceNumber(in: &text, with: replacement)
      case 1: replaceNumber(in: &text, with: Array("\(generator.below(6))".utf8))
      case 2: replaceNumber(in: &text, with: Array("\(generator.below(6))".utf8))
      case 3: if !text.isEmpty { text.remove(at: position) }
      case 4: text.insert(UInt8(0x20 + generator.below(0x5F)), at: min(position, text.count))
      default: duplicateObject(in: &text)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func replaceNumber(in text: inout [UInt8], with replacement: [UInt8]) {
    let digits = text.indices.filter { (0x30...0x39).contains(text[$0]) }
    guard let digit = digits.randomElement(using: &generator) else { return }
    var (start, end) = (digit, digit + 1)
    while start > 0, (0x30...0x39).contains(text[start - 1]) { start -= 1 }
    while end < text.count, (0x30...0x39).contains(text[end]) { end += 1 }
    text.replaceSubrange(start..<end, with: replacement)
  }

  private mutating func duplicateObject(in text: inout [UInt8]) {
    let starts = text.indices.filter { text[$0] == UInt8(ascii: "{") && $0 > 0 }
    guard let start = starts.randomElement(using: &generator),
      let end = text[start...].firstIndex(of: UInt8(ascii: "}"))
    else { return }
    text.insert(contentsOf: Array(text[start...end]) + [UInt8(ascii: ",")], at: start)
  }
}
