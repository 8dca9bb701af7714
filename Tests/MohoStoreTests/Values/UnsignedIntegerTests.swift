import Foundation
import MohoMapping
import MohoTesting
import StoreTesting
import Testing

@testable import MohoRows

/// A file whose size is an unsigned integer of 64 bits.
private struct File: MappedModel, Equatable {
  var name: String
  var size: UInt64
  var checksum: UInt?

  static let mapping = Mapping(
    "File", File.init, .key("name", \.name, .unique), .key("size", \.size, .indexed),
    .key("checksum", \.checksum))
}

/// A part of a volume that is identified by an unsigned integer and its owner.
private struct Chunk: MappedModel, Equatable {
  var volume: String
  var offset: UInt64
  var next: ModelReference<Chunk>?

  static let mapping = Mapping(
    "Chunk", Chunk.init, .key("volume", \.volume), .key("offset", \.offset),
    .toOne("next", \.next)
  )
  .identified(by: \.volume, \.offset)
}

/// A part of a disk that is identified by an unsigned integer alone.
private struct Sector: MappedModel {
  var number: UInt64

  static let mapping = Mapping("Sector", Sector.init, .key("number", \.number, .unique))
}

private struct Disk: MappedModel, Equatable {
  var name: String
  var sectors: [ModelReference<Sector>]

  static let mapping = Mapping(
    "Disk", Disk.init, .key("name", \.name, .unique), .toMany("sectors", \.sectors))
}

/// Tests unsigned integers of 64 bits. Databases with unsigned integers store all
/// of them, the others those up to `Int64.max`.
@Suite(.allEngines) struct UnsignedIntegerTests {
  private static let signedSizes: [UInt64] = [
    0, 1, 9_999, 10_000, 9_007_199_254_740_992, 9_007_199_254_740_993, 4_611_686_018_427_387_904,
    9_223_372_036_854_775_807,
  ]

  private static let unsignedSizes: [UInt64] = [
    9_223_372_036_854_775_808, 9_223_372_036_854_775_809, 9_223_372_036_854_777_856,
    10_000_000_000_000_000_000, 18_446_744_073_709_549_568, .max - 1, .max,
  ]

  private static var sizes: [UInt64] {
    signedSizes + (TestedEngine.current.storesUnsignedIntegers ? unsignedSizes : [])
  }

  private static var files: [File] {
    sizes.map { File(name: "\($0)", size: $0, checksum: UInt($0)) }
  }

  private func store() throws -> ModelStore {
    let store = try emptyStore(File.self)
    try store.write { try $0.save(Self.files + [File(name: "none", size: 2, checksum: nil)]) }
    return store
  }

  @Test func modelsAreReadAsTheyWereSaved() throws {
    let store = try store()

    let request = ModelRequest<File>().filter { $0.name != "none" }.order(by: \.size)
    #expect(try store.fetch(request) == Self.files)
    #expect(try store.write { try $0.save(Self.files) }.unchanged == Self.files.count)
  }

  @Test func contextsReadAndSaveTheValues() throws {
    let store = try store()
    let context = EditingContext(store)
    for row in try context.fetch(ModelRequest<File>().order(by: \.size)) {
      let size = try row.size
      try row.set(\File.checksum, to: UInt(size))
      try row.set(\File.size, to: size == 0 ? 0 : size - 1)
    }
    try context.save()

    let sizes = try store.fetch(ModelRequest<File>().filter { $0.name != "none" })
    #expect(
      Set(sizes.map(\.size)) == Set(Self.sizes.map { $0 == 0 ? 0 : $0 - 1 }))
    #expect(sizes.allSatisfy { $0.name == "\($0.checksum ?? 1)" })
  }

  @Test func partialModelsWriteTheValues() throws {
    let store = try store()
    let size = try #require(Self.sizes.last)
    var partial = Partial<File>()
    partial[\.name] = "0"
    partial[\.size] = size
    try store.write { try $0.upsert(partial) }

    #expect(try store.fetchCount(ModelRequest<File>().filter { $0.size == size }) == 2)
  }

  @Test func theValuesArePartsOfIdentities() throws {
    let store = try emptyStore(Chunk.self)
    var chunks = Self.sizes.map { Chunk(volume: "a", offset: $0, next: nil) }
    try store.write { try $0.save(chunks) }
    for index in chunks.indices.dropLast() {
      chunks[index].next = try ModelReference(to: chunks[index + 1])
    }

    let report = try store.write { try $0.save(chunks) }

    #expect(report.updated == chunks.count - 1)
    #expect(report.unchanged == 1)
    #expect(try store.fetch(ModelRequest<Chunk>().order(by: \.offset)) == chunks)
    let next = try #require(chunks.first?.next)
    #expect(try store.fetchCount(ModelRequest<Chunk>().filter { $0.next == next }) == 1)
    let context = EditingContext(store)
    let rows = try context.fetch(ModelRequest<Chunk>().order(by: \.offset))
    #expect(try rows.map { try $0.next } == chunks.map(\.next))
  }

  @Test func listsReferToTheValues() throws {
    let store = try emptyStore(Sector.self, Disk.self)
    let sectors = [2, 1].map { Sector(number: $0) }
    let disk = Disk(name: "a", sectors: try sectors.map { try ModelReference(to: $0) })

    try store.write { writer in
      try writer.save(sectors)
      try writer.save(disk)
    }

    #expect(try store.fetch(ModelRequest<Disk>()) == [disk])
  }

  @Test func requestsCompareExactly() throws {
    let store = try store()
    let stored = try store.fetch(ModelRequest<File>())
    for size in Self.sizes {
      for comparison in Filter.Comparison.allCases {
        let expected = stored.filter { file in
          switch comparison {
          case .equal: file.size == size
          case .notEqual: file.size != size
          case .less: file.size < size
          case .lessOrEqual: file.size <= size
          case .greater: file.size > size
          case .greaterOrEqual: file.size >= size
          }
        }
        let filter = Filter.comparison(
          .key(KeyName(["size"])), comparison, .constant(.uint64(size)))
        let request = RowRequest("File").filter { _ in filter }
        #expect(
          try store.fetchCount(request) == expected.count, "size \(comparison.rawValue) \(size)")
      }
    }
    let largest = Array(Self.sizes.suffix(2))
    for sizes in [largest + [3, 2], [3, 2] + largest] {
      #expect(
        try store.fetchCount(ModelRequest<File>().filter { $0.size.isOne(of: sizes) }) == 3)
    }
    #expect(try store.fetchCount(ModelRequest<File>().filter { $0.checksum == nil }) == 1)
    #expect(
      try store.fetch(ModelRequest<File>().order(by: \.size, .descending).limit(2)).map(\.size)
        == largest.reversed())
  }

  @Test func aggregatesAreUnsigned() throws {
    let store = try emptyStore(File.self)
    let large: UInt64 =
      TestedEngine.current.storesUnsignedIntegers ? .max - 3 : UInt64(Int64.max) - 3
    try store.write {
      try $0.save([
        File(name: "a", size: large, checksum: nil), File(name: "b", size: 1, checksum: 4),
        File(name: "c", size: 1, checksum: 4),
      ])
    }

    let row = try store.fetchAggregates(ModelRequest<File>()) {
      [.sum($0.size), .minimum($0.size), .maximum($0.size), .average($0.checksum)]
    }
    #expect(
      row.values == [
        FieldContent.uint64(large + 2).stored, .int64(1), FieldContent.uint64(large).stored,
        .double(4),
      ])
    let groups = try store.fetchAggregates(
      ModelRequest<File>(), groupedBy: { [$0.size] }, { _ in [.count] })
    #expect(
      groups.map(\.values)
        == [[.int64(1), .int64(2)], [FieldContent.uint64(large).stored, .int64(1)]])
    try store.write { try $0.save(File(name: "d", size: 2, checksum: nil)) }
    #expect(throws: (any Error).self) {
      try store.fetchAggregates(ModelRequest<File>()) { [.sum($0.size)] }
    }
  }

  @Test(.engine(.postgres)) func resultsOfCalculationsAreUnsigned() throws {
    let store = try emptyStore(File.self)
    try store.write {
      try $0.save([
        File(name: "max", size: .max, checksum: 1), File(name: "half", size: 1 << 63, checksum: 2),
        File(name: "one", size: 1, checksum: 0),
      ])
    }
    func results(
      _ key: (ModelKeys<File>) -> ModelKey<UInt64?>
    ) throws -> [FieldContent] {
      try store.fetchValues(ModelRequest<File>().order(by: \.size)) { [key($0)] }.flatMap(\.values)
    }

    #expect(try results { $0.size / 2 } == [.int64(0), .int64(1 << 62), .int64(.max)])
    #expect(try results { $0.size + 1 } == [.int64(2), .uint64((1 << 63) + 1), .null])
    #expect(try results { $0.size - 2 } == [.null, .int64(.max - 1), .uint64(.max - 2)])
    #expect(try results { $0.size * 2 } == [.int64(2), .null, .null])
    #expect(try results { .max / $0.size } == [.uint64(.max), .int64(1), .int64(1)])
    #expect(try results { $0.size / 0 } == [.null, .null, .null])
  }

  @Test func aValueThatIsTooLargeIsRefused() throws {
    let store = try emptyStore(File.self, Chunk.self)
    if !TestedEngine.current.storesUnsignedIntegers {
      let error = #expect(throws: MappingError.self) {
        try store.write { try $0.save(File(name: "a", size: 1 << 63, checksum: nil)) }
      }
      #expect(error?.description.contains("size") == true)
      #expect(error?.expected == "integer up to \(Int64.max)")
      #expect(throws: MappingError.self) {
        try store.write { try $0.save(Chunk(volume: "a", offset: .max, next: nil)) }
      }
    }
    let limited = Entity(
      "Limited", attributes: [Attribute("size", .uint64, default: .uint64(.max))])
    if TestedEngine.current.storesUnsignedIntegers {
      _ = try emptyStore(entities: limited)
    } else {
      let error = #expect(throws: StoreError.self) { try emptyStore(entities: limited) }
      #expect(error?.code == .invalidSchema)
    }
    // The identity of a row is signed in all databases.
    #expect(
      try Schema([
        Entity("A", attributes: [Attribute("id", .uint64)], unique: [["id"]])
      ]).entity("A")?.attributes.map(\.type) == [.int64])
  }
}
