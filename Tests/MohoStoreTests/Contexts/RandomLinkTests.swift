import Campaigns
import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// A context and another writer edit the same links at random. Either nothing is
/// saved and a conflict is reported, or the store and the context have the links
/// that the rules of the policy define.
@Suite(.allEngines) struct RandomLinkTests {
  @Test(arguments: 0..<Campaign.count("MOHO_RANDOM_SEEDS", short: 4, full: 60))
  func noEditOfLinksIsLostSilently(seed: Int) throws {
    var run = try LinkRun(seed: UInt64(seed))
    for round in 0..<40 { try run.performRound("seed \(seed), round \(round)") }
  }
}

/// The links that were read, those of the context, and those of the writer.
private struct LinkCase {
  let read: [Int]
  var mine: [Int]
  var theirs: [Int]
  var isAssigned = false
  let isOrdered: Bool
  let isColumn: Bool

  private var added: [Int] { mine.filter { !read.contains($0) } }
  private var kept: [Int] { read.filter { mine.contains($0) } }

  var isEdited: Bool { isOrdered ? mine != read : Set(mine) != Set(read) }

  private var isMineMoved: Bool { isOrdered && mine != kept + added }

  private var isTheirsMoved: Bool {
    isOrdered && read.filter { theirs.contains($0) } != theirs.filter { read.contains($0) }
  }

  private var areAdditionsMoved: Bool {
    let common = added.filter { theirs.contains($0) }
    return isOrdered && common != theirs.filter { common.contains($0) }
  }

  private var differs: Bool {
    theirs.contains { !read.contains($0) && !mine.contains($0) }
      || read.contains { !theirs.contains($0) && mine.contains($0) } || isTheirsMoved
      || areAdditionsMoved
  }

  var isLinkConflict: Bool { differs && (isAssigned || isMineMoved) }

  /// Whether both sides have written the same column of a row.
  var isRowConflict: Bool {
    guard isColumn else { return false }
    let mineChanged = Set(read).symmetricDifference(mine)
    return !mineChanged.isDisjoint(with: Set(read).symmetricDifference(theirs))
  }

  /// The links after saving. The argument is the name of the policy.
  func expected(_ policy: String, new: Set<Int>) -> [Int] {
    let links: [Int]
    switch isLinkConflict ? policy : "perKey" {
    case _ where !differs: links = mine
    case "storeWins": links = theirs + mine.filter { new.contains($0) }
    case "contextWins": links = mine
    default:
      let final = theirs.filter { !read.contains($0) || mine.contains($0) } + added
      let isMyOrder = isMineMoved || isLinkConflict && areAdditionsMoved
      let first = isMyOrder ? mine.filter { final.contains($0) } : final
      links = first + final.filter { !first.contains($0) }
    }
    var seen: Set<Int> = []
    let unique = links.filter { seen.insert($0).inserted }
    return isOrdered ? unique : unique.sorted()
  }
}

private struct LinkRun {
  private let store: ModelStore
  private var random: SeededGenerator
  private var nextKey = 1

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    store = try emptyStore(
      entities: Entity(
        "Owner", attributes: [],
        relationships: [
          .toMany("tags", "Member", inverse: "tagged"), .toMany("parts", "Member"),
          .toMany("children", "Member", inverse: "parent"),
          .toMany("steps", "Member", isOrdered: true),
        ]),
      Entity(
        "Member", attributes: [Attribute("key", .int64)],
        relationships: [
          .toMany("tagged", "Owner", inverse: "tags"),
          .toOne("parent", "Owner", inverse: "children"),
        ]))
  }

  mutating func performRound(_ name: String) throws {
    let key = random.one(of: ["tags", "parts", "children", "steps"])
    let maker = EditingContext(store)
    let owner = try maker.insert("Owner")
    let keys = try (0..<6).map { _ in try insert(in: maker) }
    let read = keys.filter { _ in random.oneIn(2) }
    try owner.setRelatedRows(key, to: rows(read, in: maker))
    try maker.save()
    var links = LinkCase(
      read: read, mine: read, theirs: read, isOrdered: key == "steps", isColumn: key == "children")

    let root = EditingContext(store)
    let isChild = random.oneIn(4)
    let context = isChild ? EditingContext(childOf: root) : root
    let mine = try context.row(owner.identity)
    #expect(try found(mine, key) == read, "\(name)")
    links.isAssigned = random.oneIn(2)
    try edit(mine, key, keys, &links.mine, isAssigned: links.isAssigned, in: context)
    if !links.isEdited { links.isAssigned = false }
    var new: Set<Int> = []
    if random.oneIn(4) {
      let added = try insert(in: context)
      try mine.add(rows([added], in: context)[0], to: key)
      links.mine.append(added)
      new.insert(added)
    }
    let writer = isChild && random.oneIn(2) ? root : EditingContext(store)
    let theirs = try writer.row(owner.identity)
    try edit(theirs, key, keys, &links.theirs, isAssigned: random.oneIn(2), in: writer)
    if writer !== root { try writer.save() }
    try check(links, mine, key, context, root, new, name)
  }

  private mutating func check(
    _ links: LinkCase, _ mine: ManagedRow, _ key: String, _ context: EditingContext,
    _ root: EditingContext, _ new: Set<Int>, _ name: String
  ) throws {
    let policies: [String: ConflictPolicy] = [
      "error": .error, "storeWins": .storeWins, "contextWins": .contextWins, "perKey": .perKey,
    ]
    let policy = random.one(of: policies.keys.sorted())
    let text = "\(name): \(key), \(policy), \(links)"
    for one in [context, root] { one.conflictPolicy = policies[policy] ?? .error }
    let isConflict =
      policy == "error" && links.isEdited
      && (links.isLinkConflict || links.isRowConflict)
    let before = links.isOrdered ? links.mine : links.mine.sorted()
    do {
      try context.save()
      if root !== context { try root.save() }
      #expect(!isConflict, "\(text)")
    } catch let error as ConflictError {
      #expect(isConflict, "\(text): \(error)")
      if root === context { #expect(try found(mine, key) == before, "\(text)") }
      return
    }
    let expected = links.expected(policy, new: new)
    let stored = try found(EditingContext(store).row(mine.identity), key)
    #expect(stored == expected, "\(text)")
    // Links that were not edited are not read again.
    guard links.isEdited else { return }
    // A child does not see what its parent has merged with the store.
    let mine = try root.row(mine.identity)
    #expect(try found(mine, key) == stored, "\(text)")
    #expect(!context.hasChanges && !root.hasChanges, "\(text)")
    guard key == "tags" else { return }
    for member in try mine.relatedRows(key) {
      #expect(try member.relatedRows("tagged") == [mine], "\(text)")
    }
  }

  private mutating func edit(
    _ owner: ManagedRow, _ key: String, _ keys: [Int], _ links: inout [Int], isAssigned: Bool,
    in context: EditingContext
  ) throws {
    if isAssigned {
      var members = keys.filter { _ in random.oneIn(2) }
      if random.oneIn(2) { members.reverse() }
      try owner.setRelatedRows(key, to: rows(members, in: context))
      links = members
      return
    }
    for _ in 0..<random.below(4) {
      let member = random.one(of: keys)
      let row = try rows([member], in: context)[0]
      if links.contains(member) {
        try owner.remove(row, from: key)
        links.removeAll { $0 == member }
      } else {
        try owner.add(row, to: key)
        links.append(member)
      }
    }
  }

  private mutating func insert(in context: EditingContext) throws -> Int {
    nextKey += 1
    _ = try context.make("Member", ["key": nextKey])
    return nextKey
  }

  private func rows(_ keys: [Int], in context: EditingContext) throws -> [ManagedRow] {
    let found = try context.fetch("Member")
    return try keys.compactMap { key in
      try found.first { try $0["key"] == .int64(Int64(key)) }
    }
  }

  private func found(_ owner: ManagedRow, _ key: String) throws -> [Int] {
    let keys = try owner.relatedRows(key).map { try $0.value("key", as: Int.self) }
    return key == "steps" ? keys : keys.sorted()
  }
}
