import Campaigns
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// A model that nests a model of the same type.
private final class ChainLink: MappedModel {
  let id: Int
  let next: ChainLink?

  init(id: Int, next: ChainLink?) {
    self.id = id
    self.next = next
  }

  static let mapping = Mapping(
    "ChainLink", { ChainLink(id: $0, next: $1) }, .key("id", \.id, .unique),
    .toOne("next", \.next))

  /// A chain with a number of models.
  static func chain(_ count: Int) -> ChainLink {
    var link: ChainLink?
    for id in (1...count).reversed() { link = ChainLink(id: id, next: link) }
    return link ?? ChainLink(id: 1, next: nil)
  }
}

/// The same limit applies to saving, fetching and contexts. Rows may be linked in
/// chains of any length.
@Suite(.allEngines) struct NestingDepthTests {
  private static let limit = 128

  @Test func aModelAtTheLimitIsSavedAndFetched() throws {
    let store = try emptyStore(ChainLink.self)
    try onSmallStack {
      #expect(throws: Never.self) {
        try store.write { _ = try $0.save(ChainLink.chain(Self.limit)) }
        let found = try store.fetchFirst(ModelRequest<ChainLink>().filter { $0.id == 1 })
        var link = found
        for _ in 1..<Self.limit { link = link?.next }
        #expect(link?.id == Self.limit)
        let context = EditingContext(store)
        let row = try context.fetch("ChainLink")[0]
        #expect(try ManagedRowAdapter<ChainLink>().model(from: row).id == 1)
      }
    }
  }

  @Test(arguments: [129, 300, 1_000])
  func aDeeperModelIsRefusedWhenItIsSaved(_ count: Int) throws {
    let store = try emptyStore(ChainLink.self)
    try onSmallStack {
      let model = ChainLink.chain(count)

      let error = #expect(throws: MappingError.self) {
        try store.write { _ = try $0.save(model) }
      }
      let list = #expect(throws: MappingError.self) {
        try store.write { _ = try $0.save([model]) }
      }
      let context = EditingContext(store)
      let edited = #expect(throws: MappingError.self) {
        _ = try ManagedRowAdapter<ChainLink>().row(from: model, in: context)
      }

      for error in [error, list, edited] {
        #expect(error?.code == .tooDeep)
        #expect(error?.path?.description.hasSuffix("next.next.next") == true)
      }
    }
    #expect(try store.count("ChainLink") == 0)
  }

  @Test func aLongChainOfRowsIsAnErrorThatNamesTheRow() throws {
    let store = try emptyStore(ChainLink.self)
    let count = 20_000
    let values = (1...count).map { "(\($0), \($0 < count ? "\($0 + 1)" : "NULL"))" }
    try store.execute(
      "INSERT INTO \"ChainLink\" (id, next) VALUES \(values.joined(separator: ", "))")
    try onSmallStack {
      let error = #expect(throws: StoreError.self) {
        try store.fetchFirst(ModelRequest<ChainLink>().filter { $0.id == 7 })
      }
      #expect(error?.subject == "`ChainLink` 7")
      #expect(error?.reason == "models are nested more than 128 levels deep")
      #expect(throws: StoreError.self) { try store.fetch(ModelRequest<ChainLink>()) }
      let end = try? store.fetchFirst(ModelRequest<ChainLink>().filter { $0.id == count - 127 })
      #expect(end?.id == count - 127)

      let context = EditingContext(store)
      let row = try? context.fetch(RowRequest("ChainLink").filter { $0["id"] == 7 }).first
      let edited = #expect(throws: StoreError.self) {
        if let row { _ = try ManagedRowAdapter<ChainLink>().model(from: row) }
      }
      #expect(edited?.reason == "models are nested more than 128 levels deep")
    }
  }

  /// Pairs of models with common keys make a chain of rows that is longer than each model.
  @Test func modelsThatMakeALongChainAreSaved() throws {
    let store = try emptyStore(ChainLink.self)
    let count = Campaign.count(short: 4_000, full: 100_000)
    try onSmallStack {
      let pairs = (1..<count).map { id in
        ChainLink(id: id, next: ChainLink(id: id + 1, next: nil))
      }
      // Rows that occur in several batches are written after the last batch.
      let report = try store.write { try $0.save(pairs + pairs) }
      #expect(report.inserted == count)

      let context = EditingContext(store)
      let rows = try ManagedRowAdapter<ChainLink>().rows(from: pairs.prefix(1_000), in: context)
      #expect(rows.count == 1_000)
    }
    #expect(try store.count("ChainLink") == count)
  }

  @Test func aContextWithALongChainIsReleased() throws {
    let store = try emptyStore(ChainLink.self)
    try onSmallStack {
      #expect(throws: Never.self) {
        let context = EditingContext(store)
        var last: ManagedRow?
        for id in 1...20_000 {
          let row = try context.insert("ChainLink")
          try row.set("id", to: id)
          if let last { try last.setRelatedRow("next", to: row) }
          last = row
        }
        try context.save()
        context.undo()
      }
    }
    #expect(try store.count("ChainLink") == 20_000)
  }
}
