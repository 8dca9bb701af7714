import Foundation
import MohoJSON
import MohoMapping
import StoreTesting
import Testing

@testable import MohoRows

/// Tests that all parts of Moho agree on which values are equal.
@Suite(.allEngines) struct EqualityTests {
  private let store: ModelStore
  private let adapter = JSONAdapter<Sample>()

  init() throws { store = try emptyStore(Sample.self) }

  @Test(arguments: AwkwardPair.all)
  func changesAreThoseOfStoredValues(pair: AwkwardPair) {
    let isSame = pair.relation == .same
    let mapping = Sample.mapping

    #expect(mapping.areEqual(pair.one, pair.other) == isSame)
    #expect(mapping.changedKeys(from: pair.one, to: pair.other) == (isSame ? [] : [pair.key]))
    #expect(Partial(from: pair.one, to: pair.other).isEmpty == isSame)
    if let (one, other) = pair.contents, isSame {
      #expect(Set([one, other]).count == 1)
      #expect(!one.precedes(other) && !other.precedes(one))
    }
  }

  @Test(arguments: AwkwardPair.all)
  func savingAnEqualModelWritesNothing(pair: AwkwardPair) throws {
    let change = pair.isSame ? SaveReport(unchanged: 1) : SaveReport(updated: 1)
    try store.write { try $0.save(pair.one) }

    #expect(try store.plan(saving: [pair.other]).isEmpty == pair.isSame)
    #expect(try store.write { try $0.save(pair.other) } == change)
    #expect(try store.write { try $0.save(pair.one) } == change)
    let partial = Partial(pair.other)
    #expect(try store.write { try $0.upsert(CollectionOfOne(partial)) } == change)
  }

  @Test(arguments: AwkwardPair.all)
  func allWaysOfSavingConverge(pair: AwkwardPair) throws {
    for sample in [pair.one, pair.other] {
      try store.write { try $0.save(sample) }
      let fetched = try store.fetch(ModelRequest<Sample>())
      let data = try adapter.data(from: [sample])
      let stored = try adapter.data(from: fetched)
      let unchanged = SaveReport(unchanged: 1)

      #expect(try store.write { try $0.save(fetched) } == unchanged)
      #expect(try store.write { try $0.save(sample) } == unchanged)
      // Documents have whole seconds.
      if pair.key != "moment" {
        #expect(try store.write { try $0.save(decoding: adapter.fields(from: data)) } == unchanged)
        #expect(
          try store.write { try $0.save(decoding: adapter.fields(from: stored)) } == unchanged)
        #expect(try store.write { try $0.save(adapter.models(from: stored)) } == unchanged)
      }
      if pair.relation != .sameOnPostgres || TestedEngine.current.storesExactDates {
        #expect(fetched == [sample])
        #expect(fetched.map { Sample.mapping.areEqual($0, sample) } == [true])
      }
    }
  }

  @Test(arguments: AwkwardPair.all.filter { $0.contents != nil })
  func conditionsFindEqualValues(pair: AwkwardPair) throws {
    guard let (one, other) = pair.contents else { return }
    try store.write { try $0.save(pair.one) }
    let context = EditingContext(store)
    let key = Operand.key(KeyName([pair.key]))

    for (content, isFound) in [(one, true), (other, pair.isSame)] {
      let matches = [
        (Filter.comparison(key, .equal, .constant(content)), isFound),
        (.comparison(key, .notEqual, .constant(content)), !isFound),
        (.oneOf(key, [content]), isFound),
      ]
      for (filter, isMatched) in matches {
        var request = RowRequest("Sample")
        request.filter = filter
        #expect(try store.fetchCount(request) == (isMatched ? 1 : 0), "\(filter)")
        // Changed rows are matched in memory.
        let row = try #require(try context.fetch("Sample").first)
        try row.set("note", to: "\(filter)")
        #expect(try context.fetch(request).count == (isMatched ? 1 : 0), "\(filter)")
      }
    }
  }

  @Test(arguments: AwkwardPair.all)
  func contextsChangeWhatIsStored(pair: AwkwardPair) throws {
    try store.write { try $0.save(pair.one) }
    let context = EditingContext(store)
    let row = try #require(try context.fetch(ModelRequest<Sample>()).first).row
    let adapter = ManagedRowAdapter<Sample>()

    _ = try adapter.row(from: pair.other, in: context)

    #expect(row.changedKeys == (pair.isSame ? [] : [pair.key]))
    #expect(context.hasChanges == !pair.isSame)
    try context.save()
    #expect(try store.plan(saving: [pair.other]).isEmpty)
    #expect(row.changedKeys == [])
    // Another writer that saves the equal model causes no conflict.
    try row.set("note", to: "mine")
    try store.write { try $0.save(pair.one) }
    if pair.isSame { try context.save() }
  }

  @Test(arguments: AwkwardPair.all.filter { $0.contents != nil })
  func equalValuesAreSortedByIdentity(pair: AwkwardPair) throws {
    var (one, other) = (pair.one, pair.other)
    (one.id, other.id) = (2, 1)
    try store.write { try $0.save([one, other]) }
    let context = EditingContext(store)
    for direction in [Ordering.Direction.ascending, .descending] {
      let request = RowRequest("Sample").order(by: pair.key, direction)
      let stored = try store.fetchIdentities(request)
      for row in try context.fetch("Sample") { try row.set("note", to: "\(direction)") }

      let sorted = try context.fetch(request).map(\.identity.stored)

      #expect(sorted == stored)
      if pair.isSame { #expect(stored == (direction == .ascending ? [1, 2] : [2, 1])) }
    }
    let values = try store.fetchValues(RowRequest("Sample").distinct()) { [$0[pair.key]] }
    #expect(values.count == (pair.isSame ? 1 : 2))
  }

  @Test func notANumberEqualsItselfAndIsRefused() throws {
    let one = Sample(id: 1, number: .nan, amount: .nan)

    #expect(Sample.mapping.areEqual(one, one))
    #expect(Sample.mapping.changedKeys(from: one, to: Sample(id: 1, amount: .nan)) == ["number"])
    #expect(throws: MappingError.self) { try store.write { try $0.save(one) } }
  }

  @Test func notANumberIsNoNumberOfAList() throws {
    #expect(throws: MappingError.self) {
      try store.write { try $0.save(Sample(id: 1, list: [.nan])) }
    }
  }
}
