import Campaigns
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// A model that contains itself in a column. The inner model is created when it is written,
/// so that the value itself has no depth.
private struct Tray: MappedModel, Equatable {
  var levels: Int

  var inner: [Tray] { levels > 1 ? [Tray(levels: levels - 1)] : [] }

  static let mapping = Mapping(
    "Tray", { (inner: [Tray]) in Tray(levels: (inner.first?.levels ?? 0) + 1) },
    .key("inner", \.inner))
}

/// Arrays inside each other.
private struct Arrays: FieldValue, Equatable {
  static let fieldType = FieldType.array
  static let fieldSchema = FieldSchema.array(of: .any)

  var levels: Int

  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Arrays {
    Arrays(levels: (try [Arrays].decode(from: decoder, at: index).first?.levels ?? 0) + 1)
  }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try (levels > 1 ? [Arrays(levels: levels - 1)] : []).encode(to: encoder, at: index)
  }
}

private struct Grid: MappedModel, Equatable {
  var id: Int
  var arrays: Arrays

  static let mapping = Mapping(
    "Grid", Grid.init, .key("id", \.id, .unique), .key("arrays", \.arrays))
}

/// A model in a chain of rows that contains a model in a column.
private final class Crate: MappedModel {
  let id: Int
  let next: Crate?
  let tray: Tray?

  init(id: Int, next: Crate?, tray: Tray?) {
    self.id = id
    self.next = next
    self.tray = tray
  }

  static let mapping = Mapping(
    "Crate", { Crate(id: $0, next: $1, tray: $2) }, .key("id", \.id, .unique),
    .toOne("next", \.next), .key("tray", \.tray))

  /// A chain of 100 models. The last one has a tray.
  static func chain(_ tray: Tray) -> Crate {
    (1..<100).reversed().reduce(Crate(id: 100, next: nil, tray: tray)) { next, id in
      Crate(id: id, next: next, tray: nil)
    }
  }
}

/// The levels of a column's value continue those of the rows.
@Suite(.allEngines) struct StructuredDepthTests {
  @Test func arraysInColumnsAreNestedToTheLimit() throws {
    let store = try emptyStore(Grid.self)
    try onSmallStack {
      let grid = Grid(id: 1, arrays: Arrays(levels: 128))
      try store.write { _ = try $0.save(grid) }
      #expect(try store.fetchFirst(ModelRequest<Grid>()) == grid)

      for levels in [129, 100_000] {
        let error = #expect(throws: MappingError.self) {
          try store.write { _ = try $0.save(Grid(id: 2, arrays: Arrays(levels: levels))) }
        }
        #expect(error?.code == .tooDeep)
      }
    }
    #expect(try store.count("Grid") == 1)
  }

  @Test func modelsInColumnsAreNestedToTheLimit() throws {
    let store = try emptyStore(Crate.self)
    try onSmallStack {
      try store.write { _ = try $0.save(Crate.chain(Tray(levels: 28))) }
      let first = try store.fetchFirst(ModelRequest<Crate>().filter { $0.id == 1 })
      let last = sequence(first: first, next: { $0?.next }).first { $0?.id == 100 }
      #expect(last??.tray == Tray(levels: 28))
    }
    // One more row contains the chain.
    try store.execute("INSERT INTO \"Crate\" (id, next) VALUES (0, 1)")
    try onSmallStack {
      let error = #expect(throws: MappingError.self) {
        try store.fetchFirst(ModelRequest<Crate>().filter { $0.id == 0 })
      }
      #expect(error?.code == .tooDeep)
    }
  }

  @Test(arguments: [29, 100_000])
  func deeperModelsInColumnsAreNotSaved(levels: Int) throws {
    let store = try emptyStore(Crate.self)
    try onSmallStack {
      let chain = Crate.chain(Tray(levels: levels))
      let error = #expect(throws: MappingError.self) {
        try store.write { _ = try $0.save(chain) }
      }
      let context = EditingContext(store)
      let edited = #expect(throws: MappingError.self) {
        _ = try ManagedRowAdapter<Crate>().row(from: chain, in: context)
      }
      #expect(error?.code == .tooDeep)
      #expect(edited?.code == .tooDeep)
    }
    #expect(try store.count("Crate") == 0)
  }
}
