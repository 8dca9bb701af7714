import Campaigns
import Foundation
import MohoChanges
import MohoTesting
import Testing

@Suite struct ChangeSetCodingTests {
  @Test(arguments: [
    ("1 2", "1 2", "{}"),
    ("1", "1 2", #"{"rows":[{"id":2,"new":[0,1]}]}"#),
    ("1 2", "2", #"{"rows":[{"id":1,"old":[0,0]}]}"#),
    (
      "1 2 3*", "3* 1 2",
      #"{"rows":[{"changed":["title"],"id":3,"move":true,"new":[0,0],"old":[0,2]}]}"#
    ),
    ("1 2*", "1 2*", #"{"rows":[{"changed":["title"],"id":2,"new":[0,1],"old":[0,1]}]}"#),
    (
      "A: 1 | B: 2", "A: 1 | C: 2",
      #"{"rows":[{"id":2,"move":true,"new":[1,0],"old":[1,0]}],"#
        + #""sections":[{"delete":1,"key":"B"},{"insert":1,"key":"C"}]}"#
    ),
    (
      "1", "A: 1",
      #"{"rows":[{"id":1,"move":true,"new":[0,0],"old":[0,0]}],"#
        + #""sections":[{"delete":0,"key":{"all":true}},{"insert":0,"key":"A"}]}"#
    ),
  ])
  func changeSetHasOneJSONForm(old: String, new: String, json: String) throws {
    let edited = new.split(separator: " ").filter { $0.hasSuffix("*") }
      .compactMap { Int64($0.dropLast()) }
    let changes = ChangeSet(
      from: try OrderedIndex(old.filter { $0 != "*" }),
      to: try OrderedIndex(new.filter { $0 != "*" }),
      changedKeys: Dictionary(uniqueKeysWithValues: edited.map { ($0, ["title"]) }))

    #expect(try changes.json == json)
    #expect(try ChangeSet(json: json) == changes)
  }

  @Test(arguments: [
    (SectionKey.null, "null"),
    (.integer(5), "5"),
    (.integer(9_007_199_254_740_991), "9007199254740991"),
    (.integer(9_007_199_254_740_992), #"{"integer":"9007199254740992"}"#),
    (.integer(.min), #"{"integer":"-9223372036854775808"}"#),
    (.real(2.5), "2.5"),
    (.real(-.infinity), #"{"real":"-Infinity"}"#),
    (.real(.infinity), #"{"real":"Infinity"}"#),
    (.text("Drama"), #""Drama""#),
    (.text(""), #""""#),
    (.text("5"), #""5""#),
    (.all, #"{"all":true}"#),
  ])
  func sectionKeyHasOneJSONForm(key: SectionKey, json: String) throws {
    let decoded = try JSONDecoder().decode(SectionKey.self, from: Data(json.utf8))

    #expect(try jsonText(of: key) == json)
    #expect(decoded == key)
    #expect(decoded.name == key.name)
  }

  @Test func realKeyWithoutFractionIsDecodedAsAnEqualInteger() throws {
    for value in [0, -0.0, 4, 1e15, 9.3e18, 1e300] {
      let json = Data(try jsonText(of: SectionKey.real(value)).utf8)
      #expect(try JSONDecoder().decode(SectionKey.self, from: json) == .real(value))
    }
  }

  /// All numbers at the limits of integers and of doubles, and random ones.
  @Test func everyNumberSurvivesJSON() throws {
    var reals: [Double] = [0, .leastNonzeroMagnitude, .leastNormalMagnitude, 0.1]
    reals.append(.greatestFiniteMagnitude)
    var integers: [Int64] = [0, .max, .min]
    for exponent in 0...1_023 {
      let power = Double(sign: .plus, exponent: exponent, significand: 1)
      reals += [power, power.nextUp, power.nextDown, power * 1.5, 1 / power]
    }
    for exponent in 0..<63 {
      integers += [1 << exponent, 1 << exponent - 1, 1 << exponent + 1, ~(1 << exponent)]
    }
    var random = SeededGenerator(seed: 16)
    for _ in 0..<2_000 {
      reals.append(Double(bitPattern: random.next()))
      integers.append(Int64(bitPattern: random.next() >> random.below(64)))
    }
    let keys =
      reals.filter { !$0.isNaN }.flatMap { [SectionKey.real($0), .real(-$0)] }
      + integers.map { .integer($0) }

    let json = try JSONEncoder().encode(keys)

    #expect(try JSONDecoder().decode([SectionKey].self, from: json) == keys)
  }

  @Test func notANumberIsNull() throws {
    #expect(try jsonText(of: SectionKey.real(.nan)) == "null")
  }

  @Test(
    arguments: [
      (9_007_199_254_740_991, "9007199254740991"), (9_007_199_254_740_992, #""9007199254740992""#),
      (-9_007_199_254_740_992, #""-9007199254740992""#), (.max, #""9223372036854775807""#),
    ] as [(Int64, String)])
  func rowIDThatADoubleCannotRepresentIsAString(rowID: Int64, json: String) throws {
    let change = RowChange.insert(rowID, at: RowPath(0, 0))

    #expect(try jsonText(of: change) == #"{"id":\#(json),"new":[0,0]}"#)
    #expect(try ChangeSet(json: #"{"rows":[{"id":\#(json),"new":[0,0]}]}"#).rows == [change])
  }

  @Test func recordsMayBeInAnyOrderAndHaveUnknownMembers() throws {
    let changes = try ChangeSet(
      json: """
        {"generation": 7, "sections": [{"insert": 1, "key": 3, "name": "Three"},
        {"delete": 0, "key": 1}], "rows": [{"id": 3, "new": [1, 0], "old": null},
        {"id": 1, "old": [0, 0], "title": "One"}]}
        """)

    #expect(
      changes.description == """
        delete section 0 1
        insert section 1 3
        delete [0, 0]
        insert [1, 0]
        """)
  }

  @Test func everyChangeSetRoundTripsAndLeadsToTheSameList() throws {
    let seedCount: UInt64 = 10
    let steps = Campaign.count("MOHO_CHANGE_STEPS", short: 600, full: 5_000)
    for seed in 1...seedCount {
      var list = RandomList(seed: seed, sectioned: seed % 3 != 0)
      var states = [try list.index()]
      var last: ChangeSet?
      for step in 0..<max(1, steps / Int(seedCount)) {
        let comment: Comment = "seed \(seed) step \(step)"
        let (old, changedKeys) = (states[states.count - 1], list.mutate())
        let new = try list.index()
        let changes = ChangeSet(from: old, to: new, changedKeys: changedKeys)
        try expectRoundTrip(changes, from: old, to: new, comment)
        try expectRoundTrip(changes.inverse, from: new, to: old, comment)

        // From a sectioned list to an unsectioned one and back.
        let flat = OrderedIndex(rowIDs: new.rowIDs)
        let regrouped = ChangeSet(from: old, to: flat, changedKeys: changedKeys)
        try expectRoundTrip(regrouped, from: old, to: flat, comment)
        try expectRoundTrip(regrouped.inverse, from: flat, to: old, comment)

        if let last, states.count > 1 {
          let first = states[states.count - 2]
          let both = last.followed(by: changes, from: first, to: new, keys: RandomList.keys)
          try expectRoundTrip(both, from: first, to: new, comment)
        }
        states = [old, new]
        last = changes
      }
    }
  }

  private func expectRoundTrip(
    _ changes: ChangeSet, from old: OrderedIndex, to new: OrderedIndex, _ comment: Comment
  ) throws {
    let decoded = try ChangeSet(json: changes.json)
    #expect(decoded == changes, comment)
    let applied = try old.applying(decoded)
    #expect(applied == new, comment)
    #expect(applied.invariantViolation == nil, comment)
  }
}
