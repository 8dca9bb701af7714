import Campaigns
import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// A link policy as a type, so that the same model can be declared with every
/// policy.
private protocol Rule: Sendable {
  static var policy: LinkPolicy { get }
}

private enum Unlinking: Rule { static let policy: LinkPolicy = .replace }
private enum Deleting: Rule { static let policy: LinkPolicy = .replace(removed: .delete) }
private enum Merging: Rule { static let policy: LinkPolicy = .merge }

/// A model that owns members, whose rows store the link, and shares badges
/// through a link table.
private struct Owner<R: Rule>: MappedModel {
  var name: String
  var members: [Member<R>]
  var badges: [Badge]

  static var mapping: Mapping<Owner> {
    Mapping(
      "Owner", Owner.init,
      .key("name", \.name, .unique),
      .toMany("members", \.members, inverse: "owner", linkPolicy: R.policy),
      .toMany("badges", \.badges, linkPolicy: R.policy))
  }
}

private struct Member<R: Rule>: MappedModel {
  var code: String
  var age: Int
  var owner: ModelReference<Owner<R>>?

  static var mapping: Mapping<Member> {
    Mapping(
      "Member", Member.init,
      .key("code", \.code, .unique),
      .key("age", \.age),
      .toOne("owner", \.owner, inverse: "members"))
  }
}

private struct Badge: MappedModel {
  var id: Int

  static let mapping = Mapping("Badge", Badge.init, .key("id", \.id, .unique))
}

/// The content of an owner as plain values.
private struct OwnerContent: CustomStringConvertible {
  var name: String
  var members: [(code: String, age: Int)]
  var badges: [Int]

  var description: String { "\(name): \(members.map { "\($0.code)=\($0.age)" }) \(badges)" }
}

/// The expected rows and links as plain values.
private struct Oracle {
  var members: [String: [String]] = [:]
  var badges: [String: [Int]] = [:]
  var ages: [String: Int] = [:]
  var badgeRows: Set<Int> = []

  /// The owners, once each, with the links of all their occurrences. A member belongs to
  /// the last owner that contains it.
  private func joined(_ contents: [OwnerContent]) -> [OwnerContent] {
    var joined: [OwnerContent] = []
    for owner in contents {
      let codes = owner.members.map(\.code)
      for index in joined.indices where joined[index].name != owner.name {
        joined[index].members.removeAll { codes.contains($0.code) }
      }
      guard let index = joined.firstIndex(where: { $0.name == owner.name }) else {
        joined.append(owner)
        continue
      }
      let known = joined[index]
      joined[index].members += owner.members.filter { member in
        !known.members.contains { $0.code == member.code }
      }
      joined[index].badges += owner.badges.filter { !known.badges.contains($0) }
    }
    return joined
  }

  mutating func save(_ occurrences: [OwnerContent], _ policy: LinkPolicy) {
    for owner in occurrences {
      for member in owner.members { ages[member.code] = member.age }
      badgeRows.formUnion(owner.badges)
    }
    let contents = policy == .merge ? joined(occurrences) : occurrences
    let owners = contents.map(\.name)
    let linked = owners.flatMap { members[$0] ?? [] }
    let worn = owners.flatMap { badges[$0] ?? [] }
    // A member belongs to the last owner that contains it.
    var last: [String: String] = [:]
    for owner in contents {
      for member in owner.members { last[member.code] = owner.name }
    }
    for owner in contents {
      let codes = owner.members.map(\.code).filter { last[$0] == owner.name }
      if policy == .merge {
        let (oldCodes, oldBadges) = (members[owner.name] ?? [], badges[owner.name] ?? [])
        members[owner.name] = oldCodes + codes.filter { !oldCodes.contains($0) }
        badges[owner.name] = oldBadges + owner.badges.filter { !oldBadges.contains($0) }
      } else {
        members[owner.name] = codes
        badges[owner.name] = owner.badges
      }
    }
    for (name, codes) in members {
      members[name] = codes.filter { last[$0] ?? name == name }
    }
    guard policy == .replace(removed: .delete) else { return }
    for code in linked where !members.values.contains(where: { $0.contains(code) }) {
      ages[code] = nil
    }
    for badge in worn where !badges.values.contains(where: { $0.contains(badge) }) {
      badgeRows.remove(badge)
    }
  }

  var lines: [String] {
    let owners = members.keys.sorted().map { "\($0): \(members[$0] ?? []) \(badges[$0] ?? [])" }
    return owners + ages.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      + badgeRows.sorted().map { "\($0)" }
  }
}

@Suite(.allEngines) struct LinkPolicyTests {
  private func random(_ generator: inout SeededGenerator) -> [OwnerContent] {
    (0..<4).shuffled(using: &generator).prefix(.random(in: 1...3, using: &generator)).map { owner in
      let codes = (0..<8).shuffled(using: &generator).prefix(.random(in: 0...4, using: &generator))
      let badges = (0..<5).shuffled(using: &generator).prefix(.random(in: 0...3, using: &generator))
      return OwnerContent(
        name: "owner \(owner)",
        members: codes.map { ("member \($0)", .random(in: 0...3, using: &generator)) },
        badges: Array(badges))
    }
  }

  private func models<R: Rule>(_ contents: [OwnerContent], _ rule: R.Type) -> [Owner<R>] {
    contents.map { owner in
      Owner(
        name: owner.name, members: owner.members.map { Member(code: $0.code, age: $0.age) },
        badges: owner.badges.map { Badge(id: $0) })
    }
  }

  private func lines<R: Rule>(_ store: ModelStore, _ rule: R.Type) throws -> [String] {
    let owners = try store.fetch(ModelRequest<Owner<R>>().order(by: \.name))
    let members = try store.fetch(ModelRequest<Member<R>>().order(by: \.code))
    let badges = try store.fetch(ModelRequest<Badge>())
    return owners.map { "\($0.name): \($0.members.map(\.code)) \($0.badges.map(\.id))" }
      + members.map { "\($0.code)=\($0.age)" } + badges.map { "\($0.id)" }
  }

  private func check<R: Rule>(_ rule: R.Type, seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let store = try emptyStore(Owner<R>.self)
    let twin = try emptyStore(Owner<R>.self)
    var oracle = Oracle()
    for round in 0..<6 {
      var contents = random(&generator)
      // Owners occur again with other links, which are added as well.
      if R.policy == .merge { contents += random(&generator) + random(&generator) }
      let models = models(contents, rule)
      oracle.save(contents, R.policy)

      let report = try store.write { try $0.save(models) }
      let plan = try twin.plan(saving: models)
      let applied = try twin.apply(plan)

      let comment: Comment = "\(rule), seed \(seed), round \(round): \(contents)"
      try #require(try lines(store, rule) == oracle.lines, comment)
      try #require(report == applied, comment)
      try #require(try lines(twin, rule) == oracle.lines, comment)
      if TestedEngine.current.plansUseNoIdentities {
        try #require(try store.dump() == twin.dump(), comment)
      }
      let again = try store.plan(saving: models)
      try #require(again.isEmpty, "\(comment)\n\(again)")
      let unchanged = try store.write { try $0.save(models) }
      try #require(unchanged == SaveReport(unchanged: unchanged.unchanged), comment)
    }
  }

  @Test func savedGraphsAreWhatTheRulesSay() throws {
    for seed in 0..<Campaign.count(short: 1, full: 12) {
      try check(Unlinking.self, seed: seed)
      try check(Deleting.self, seed: seed)
      try check(Merging.self, seed: seed)
    }
  }

  @Test func theLastTimeThatAnOwnerIsSavedCounts() throws {
    for isApart in [false, true] {
      let store = try emptyStore(Owner<Deleting>.self)
      let first = OwnerContent(name: "a", members: [("x", 1), ("y", 1)], badges: [1, 2])
      let last = OwnerContent(name: "a", members: [("y", 2)], badges: [2])
      // Enough models in between to start another batch.
      let others = (0..<(isApart ? 600 : 0)).map {
        OwnerContent(name: "\($0)", members: [], badges: [])
      }

      try store.write {
        try $0.save(models([first] + others + [last], Deleting.self))
      }

      let request = ModelRequest<Owner<Deleting>>().filter { $0.name == "a" }
      let read = try #require(try store.fetchFirst(request))
      #expect(read.members.map(\.code) == ["y"])
      #expect(read.members.map(\.age) == [2])
      #expect(read.badges.map(\.id) == [2])
    }
  }

  /// Whether models, or partial models that update rows or insert them, have the links.
  enum Form: CaseIterable { case models, updates, upserts }

  @Test(arguments: Form.allCases, [false, true])
  func addedLinksOfAllTimesAreStored(_ form: Form, isApart: Bool) throws {
    let store = try emptyStore(Owner<Merging>.self)
    // Enough models in between to start another batch.
    let others = (0..<(isApart ? 1_100 : 0)).map {
      OwnerContent(name: "\($0)", members: [], badges: [])
    }
    let contents =
      [
        OwnerContent(name: "a", members: [("x", 1), ("y", 1)], badges: [2, 1]),
        OwnerContent(name: "b", members: [("u", 1)], badges: [1]),
      ] + others + [
        OwnerContent(name: "a", members: [("z", 1), ("x", 2)], badges: [1, 3]),
        OwnerContent(name: "b", members: [("v", 1)], badges: []),
        OwnerContent(name: "a", members: [("w", 1), ("u", 2)], badges: [4]),
      ]
    let models = models(contents, Merging.self)
    let partials = models.map { Partial($0) }
    if form == .updates {
      let owners = models.map { Owner<Merging>(name: $0.name, members: [], badges: []) }
      try store.write { try $0.save(owners) }
    }

    let report = try store.write { writer in
      switch form {
      case .models: try writer.save(models)
      case .updates: try writer.update(partials)
      case .upserts: try writer.upsert(partials)
      }
    }

    let request = ModelRequest<Owner<Merging>>().filter { ["a", "b"].contains($0.name) }
    let read = try store.fetch(request.order(by: \.name))
    #expect(read.map { $0.members.map(\.code) } == [["x", "y", "z", "w", "u"], ["v"]])
    #expect(read.map { $0.members.map(\.age) } == [[2, 1, 1, 1, 2], [1]])
    #expect(read.map { $0.badges.map(\.id) } == [[2, 1, 3, 4], [1]])
    #expect(report.missing == 0)
    // Links of new rows are added after all rows have been inserted.
    if form != .upserts { #expect(report.linked == 11) }
  }

  @Test func aMemberThatMovesToALaterOwnerIsNotDeleted() throws {
    let store = try emptyStore(Owner<Deleting>.self)
    let others = (0..<600).map { OwnerContent(name: "\($0)", members: [], badges: []) }
    let before = [
      OwnerContent(name: "a", members: [("x", 1)], badges: [7]),
      OwnerContent(name: "b", members: [], badges: []),
    ]
    let after =
      [OwnerContent(name: "a", members: [], badges: [])] + others
      + [OwnerContent(name: "b", members: [("x", 1)], badges: [7])]
    try store.write { try $0.save(models(before, Deleting.self)) }

    let report = try store.write { try $0.save(models(after, Deleting.self)) }

    #expect(report.deleted == 0)
    #expect(try store.count("Member") == 1)
    #expect(try store.count("Badge") == 1)
  }

  @Test func aMemberThatChangesItsOwnerItselfComesLast() throws {
    let store = try emptyStore(Owner<Unlinking>.self)
    try store.write {
      try $0.save(
        models(
          [
            OwnerContent(name: "a", members: [("x", 1), ("y", 1)], badges: []),
            OwnerContent(name: "b", members: [("z", 1)], badges: []),
          ], Unlinking.self))
      try $0.save(Member<Unlinking>(code: "x", age: 1, owner: try ModelReference(key: "b")))
    }

    let owners = try store.fetch(ModelRequest<Owner<Unlinking>>().order(by: \.name))

    #expect(owners.map { $0.members.map(\.code) } == [["y"], ["z", "x"]])
  }
}
