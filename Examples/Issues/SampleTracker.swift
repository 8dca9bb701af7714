import Foundation
import Moho

/// Fictional issues in the form of a tracker's API. They are the same in each
/// run.
enum SampleTracker {
  private static let repositories = ["crust/basalt", "crust/gneiss", "mantle/olivine"]
  private static let logins = ["ada", "ben", "cleo", "dag", "eva"]
  private static let labels = ["bug", "crash", "documentation", "good first issue", "performance"]
  private static let milestones = ["1.0", "1.2", "1.10", "2.0"]
  private static let verbs = ["Fix", "Explain", "Measure", "Rename", "Retry", "Translate"]
  private static let things = [
    "the sort order of places", "an empty feed", "dates without a zone", "a slow first page",
    "the export of long titles", "undo after a merge", "duplicate numbers",
  ]

  /// Returns a JSON array of issues.
  static func document(issueCount: Int = 300) -> Data {
    var random = Random()
    let issues = (0..<issueCount).map { issue($0, &random) }
    return Data("\(JSONValue.array(issues))".utf8)
  }

  private static func issue(_ index: Int, _ random: inout Random) -> JSONValue {
    let number = index / repositories.count + 1
    let isClosed = random.below(3) == 0
    var events = (0..<random.below(3)).map { _ in event(&random) }
    if isClosed { events.append(["event": "closed", "actor": user(random.below(5))]) }
    return [
      "id": .integer(Int64(5_000 + index)),
      "repository": ["full_name": .string(repositories[index % repositories.count])],
      "number": .integer(Int64(number)),
      "title": .string("\(random.pick(verbs)) \(random.pick(things))"),
      "state": isClosed ? "closed" : "open",
      "labels": .array(random.some(labels.count, atMost: 2).map(label)),
      "assignees": .array(random.some(logins.count, atMost: 2).map(user)),
      "milestone": random.below(4) == 0 ? .null : milestone(random.below(milestones.count)),
      "updated_at": .string(
        Date(timeIntervalSince1970: Double(1_780_000_000 + random.below(20_000_000)))
          .formatted(.iso8601)),
      "events": .array(events),
    ]
  }

  private static func event(_ random: inout Random) -> JSONValue {
    let actor = user(random.below(logins.count))
    switch random.below(3) {
    case 0: return ["event": "labeled", "actor": actor, "label": label(random.below(labels.count))]
    case 1:
      return [
        "event": "assigned", "actor": actor, "assignee": user(random.below(logins.count)),
      ]
    default:
      return ["event": "renamed", "actor": actor, "rename": ["to": .string(random.pick(things))]]
    }
  }

  private static func user(_ index: Int) -> JSONValue {
    ["id": .integer(Int64(index + 1)), "login": .string(logins[index])]
  }

  private static func label(_ index: Int) -> JSONValue {
    ["id": .integer(Int64(index + 1)), "name": .string(labels[index]), "color": "d73a4a"]
  }

  private static func milestone(_ index: Int) -> JSONValue {
    ["id": .integer(Int64(index + 1)), "title": .string(milestones[index])]
  }
}

/// A sequence of numbers that is the same in each run.
private struct Random {
  private var state: UInt64 = 18

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }

  /// Different indices below a limit, in ascending order.
  mutating func some(_ limit: Int, atMost count: Int) -> [Int] {
    Set((0..<below(count + 1)).map { _ in below(limit) }).sorted()
  }
}
