import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Changes the Swift type of keys whose columns keep their type.
@Suite(.allEngines) struct FormMigrationTests {
  private struct Item<Value: FieldValue & Equatable>: MappedModel, Equatable {
    var id: Int
    var value: Value
    static var mapping: Mapping<Item> {
      Mapping("Item", Item.init, .key("id", \.id, .unique), .key("value", \.value))
    }
  }

  private enum Kind: String, FieldValue, CaseIterable { case free, paid }
  private enum Wide: String, FieldValue, CaseIterable { case free, paid, gift }

  private struct Point: MappedModel, Equatable {
    var x: Int
    static let mapping = Mapping("Point", Point.init, .key("x", \.x))
  }

  private struct Place: MappedModel, Equatable {
    var x: Int
    var name: String?
    static let mapping = Mapping("Place", Place.init, .key("x", \.x), .key("name", \.name))
  }

  /// Expects that a change is refused, planned as unresolved, and changes nothing, until
  /// a step transforms the values.
  private func expectRefused<Old: FieldValue & Equatable, New: FieldValue & Equatable>(
    _ old: Old, _ new: New.Type, _ from: String, _ to: String,
    _ transform: @escaping @Sendable (FieldContent) -> FieldContent = { $0 },
    _ expected: New? = nil,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let database = try MigratedStore()
    try database.open(Item<Old>.self)
    let isEmpty = try MigratedStore()
    try isEmpty.open(Item<Old>.self)
    try database.open(Item<Old>.self).write { try $0.save(Item(id: 1, value: old)) }
    let before = try database.contents()

    let plan = try database.plan(Item<New>.self)
    let error = #expect(throws: StoreError.self, sourceLocation: location) {
      try database.open(Item<New>.self)
    }
    let readOnly = #expect(throws: StoreError.self, sourceLocation: location) {
      try database.open(Item<New>.self, with: MigrationOptions(isReadOnly: true))
    }

    #expect(plan.refusals.map(\.change) == [.form(from: from, to: to)], sourceLocation: location)
    #expect(error?.code == .incompatibleSchema, sourceLocation: location)
    #expect(error?.differences == plan.differences, sourceLocation: location)
    #expect(readOnly?.code == .incompatibleSchema, sourceLocation: location)
    #expect(
      error?.suggestion == "declare a migration that transforms the values of `Item.value`",
      sourceLocation: location)
    #expect(try database.contents() == before, sourceLocation: location)

    try isEmpty.open(Item<New>.self)
    try isEmpty.expectAsDeclared(Item<New>.self)
    guard let expected else { return }
    let migration = Migration("form") { $0.transform("value", of: "Item", transform) }
    #expect(
      try database.plan(Item<New>.self, with: .migrating(migration)).refusals == [],
      sourceLocation: location)
    let store = try database.open(Item<New>.self, with: .migrating(migration))
    #expect(
      try store.fetch(ModelRequest<Item<New>>()).map(\.value) == [expected],
      sourceLocation: location)
    try database.expectAsDeclared(Item<New>.self)
  }

  /// Expects that a change opens without a migration.
  private func expectRead<Old: FieldValue & Equatable, New: FieldValue & Equatable>(
    _ old: Old, as new: New, location: SourceLocation = #_sourceLocation
  ) throws {
    let database = try MigratedStore()
    try database.open(Item<Old>.self).write { try $0.save(Item(id: 1, value: old)) }

    #expect(try database.plan(Item<New>.self).refusals == [], sourceLocation: location)
    let store = try database.open(Item<New>.self)

    #expect(
      try store.fetch(ModelRequest<Item<New>>()).map(\.value) == [new], sourceLocation: location)
  }

  @Test func otherFormsOfTextAreRefused() throws {
    try expectRefused("gold", Kind.self, "string", #"{"one":["\"free\"","\"paid\""]}"#)
    try expectRefused("a b", URL.self, "string", "string uri-reference")
    try expectRefused(
      Wide.gift, Kind.self, #"{"one":["\"free\"","\"gift\"","\"paid\""]}"#,
      #"{"one":["\"free\"","\"paid\""]}"#, { _ in .string("paid") }, Kind.paid)
  }

  @Test func otherFormsOfNumbersAreRefused() throws {
    try expectRefused(
      300, UInt8.self, "integer", "integer 0...255", { _ in .int64(3) }, UInt8(3))
    try expectRefused(1e300, Float.self, "double", "float", { _ in .double(0.5) }, Float(0.5))
  }

  @Test func otherFormsOfStructuresAreRefused() throws {
    try expectRefused(
      [1], [String].self, #"{"array":"integer"}"#, #"{"array":"string"}"#,
      { _ in .string(#"["1"]"#) }, ["1"])
    try expectRefused(
      Place(x: 1, name: "a"), Point.self,
      #"{"model":{"name":{"optional":"string"},"x":"integer"}}"#, #"{"model":{"x":"integer"}}"#,
      { _ in .string(#"{"x":1}"#) }, Point(x: 1))
  }

  @Test func otherTypesOfColumnsAreRefusedByTheirType() throws {
    let database = try MigratedStore()
    try database.open(Item<String>.self).write { try $0.save(Item(id: 1, value: "a")) }

    let error = #expect(throws: StoreError.self) { try database.open(Item<Int>.self) }

    guard case .type? = error?.differences.first?.change else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.differences.count == 1)
  }

  @Test func widerFormsAreRead() throws {
    try expectRead(Int16(-7), as: -7)
    try expectRead("a", as: String?.some("a"))
    try expectRead(Kind.free, as: "free")
    try expectRead(Kind.free, as: Wide.free)
    try expectRead(Kind.paid, as: OpenEnum<Kind>.known(.paid))
    try expectRead(Float(0.25), as: 0.25)
    try expectRead(URL(filePath: "/a"), as: "file:///a")
    try expectRead([Int16(1)], as: [1])
    try expectRead(["a": 1], as: ["a": Int?.some(1)])
    try expectRead(Point(x: 1), as: Place(x: 1, name: nil))
  }

  @Test func aRenamedKeyKeepsItsForm() throws {
    struct Renamed: MappedModel {
      var id: Int
      var kind: Kind
      static let mapping = Mapping(
        "Thing", Renamed.init, .key("id", \.id, .unique), .key("kind", \.kind))
    }
    let database = try MigratedStore()
    try database.open(Item<String>.self).write { try $0.save(Item(id: 1, value: "gold")) }
    let options = MigrationOptions(renamings: [
      Renaming(Renamed.self, from: "Item"), Renaming(\Renamed.kind, from: "value"),
    ])

    let error = #expect(throws: StoreError.self) { try database.open(Renamed.self, with: options) }

    #expect(
      error?.differences.contains {
        $0.key == "kind"
          && $0.change == .form(from: "string", to: #"{"one":["\"free\"","\"paid\""]}"#)
      } == true)
  }

  @Test func theFormOfARenamedKeyIsNotRecordedForItsFormerName() {
    typealias Subject = StoreRecord.Subject
    var record = StoreRecord()
    record[Subject(.form, "Item", "id")] = "integer"
    record[Subject(.form, "Item", "value")] = "string"

    record.rename(Renaming(key: "title", of: "Item", from: "value"))
    #expect(
      record.entries
        == [Subject(.form, "Item", "id"): "integer", Subject(.form, "Item", "title"): "string"])

    record.rename(Renaming(entity: "Thing", from: "Item"))
    #expect(
      record.entries
        == [Subject(.form, "Thing", "id"): "integer", Subject(.form, "Thing", "title"): "string"])
  }

  @Test func aStoreWithoutRecordedFormsRecordsThem() throws {
    let database = try MigratedStore()
    try database.open(Item<String>.self).write { try $0.save(Item(id: 1, value: "a")) }
    try database.forgetForms()

    try database.open(Item<String>.self)

    let error = #expect(throws: StoreError.self) { try database.open(Item<Kind>.self) }
    #expect(error?.code == .incompatibleSchema)
  }

  @Test func aCodableValueOfAnotherTypeIsRefused() throws {
    struct First: Codable, Equatable { var a: Int }
    struct Second: Codable, Equatable { var b: Int }
    struct Old: MappedModel {
      var id: Int
      var value: First
      static let mapping = Mapping(
        "Item", Old.init, .key("id", \.id, .unique), .key("value", \.value, .codable))
    }
    struct New: MappedModel {
      var id: Int
      var value: Second?
      static let mapping = Mapping(
        "Item", New.init, .key("id", \.id, .unique), .key("value", \.value, .codable))
    }
    let database = try MigratedStore()
    try database.open(Old.self).write { try $0.save(Old(id: 1, value: First(a: 1))) }

    let plan = try database.plan(New.self)

    #expect(plan.refusals.map(\.change) == [.form(from: "codable First", to: "codable Second")])
  }
}
