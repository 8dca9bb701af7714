import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Synchronization
import Testing

/// A value with its own functions, in a column with structure.
private struct Point: FieldValue, Equatable {
  var x: Int
  var y: Int

  static var fieldType: FieldType { .array }

  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Point {
    let parts = try decoder.array(at: index)
    return Point(
      x: Int(try parts.decoder.int64(at: 0)), y: Int(try parts.decoder.int64(at: 1)))
  }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encodeArray(at: index, count: 2) { encoder in
      try encoder.encode(Int64(x), at: 0)
      try encoder.encode(Int64(y), at: 1)
    }
  }
}

private struct Plan1: MappedModel, Equatable {
  var id: Int
  var names: [String]
  var point: Point?
  var others: JSONValue

  static let mapping = Mapping(
    "Plan", Plan1.init, .key("id", \.id, .unique),
    .key(
      "names", \.names,
      Transform<[String]>(
        .array, samples: [["a"], []],
        read: { try [String].decode(from: $0, at: $1) },
        write: { try $0.encode(to: $1, at: $2) }),
      default: []),
    .key("point", \.point), .unknown("others", \.others))
}

private struct Plan2: MappedModel, Equatable {
  var id: Int
  var others: JSONValue

  static let mapping = Mapping(
    "Plan", Plan2.init, .key("id", \.id, .unique), .unknown("others", \.others))
}

/// Values of keys that are no longer declared become unknown members.
@Suite(.allEngines) struct KeptMemberMigrationTests {
  @Test func eachStepThatIsReportedHasANumber() throws {
    let database = try MigratedStore()
    let document = #"{"id":1,"names":["a","1"],"point":[3,4],"x":"[5]"}"#
    try database.open(Plan1.self).write {
      _ = try $0.save(JSONAdapter<Plan1>().model(from: document))
    }
    let policy = MigrationPolicy.inferred(
      retainingAsUnknown: ["names", "point"].map { .key($0, of: "Plan") })
    let reported = Mutex<[MigrationProgress]>([])

    try database.open(
      Plan2.self,
      with: MigrationOptions(policy: policy) { step in reported.withLock { $0.append(step) } })

    let steps = reported.withLock { $0 }
    let summaries = Set(steps.map(\.summary))
    #expect(summaries.count > 1)
    #expect(Set(steps.map(\.step)) == Set(1...summaries.count))
  }

  @Test func anEntityCannotBecomeUnknownMembers() throws {
    struct Other: MappedModel {
      var id: Int
      static let mapping = Mapping("Other", Other.init, .key("id", \.id, .unique))
    }
    let database = try MigratedStore()
    try database.open(Plan2.self).write { try $0.save(Plan2(id: 1, others: [:])) }
    let policy = MigrationPolicy.inferred(retainingAsUnknown: [.entity("Plan")])

    try database.open(Other.self, with: MigrationOptions(policy: policy))

    #expect(try database.values("SELECT count(*) FROM \"Plan\"") == ["1"])
  }

  @Test func valuesOfTransformsWithTheirOwnFunctionsAreJSON() throws {
    let database = try MigratedStore()
    let document = #"{"id":1,"names":["a","1"],"point":[3,4],"x":"[5]"}"#
    try database.open(Plan1.self).write {
      _ = try $0.save(JSONAdapter<Plan1>().model(from: document))
    }
    let policy = MigrationPolicy.inferred(
      retainingAsUnknown: ["names", "point"].map { .key($0, of: "Plan") })

    let plan = try database.plan(Plan2.self, with: MigrationOptions(policy: policy))
    let store = try database.open(Plan2.self, with: MigrationOptions(policy: policy))

    #expect(plan.losses == [])
    let plans = try store.fetch(ModelRequest<Plan2>())
    #expect(
      plans.map(\.others.withSortedMembers)
        == [["names": ["a", "1"], "point": [3, 4], "x": "[5]"]])
    let again = try database.open(Plan1.self)
    #expect(
      try again.fetch(ModelRequest<Plan1>()).map { try JSONAdapter<Plan1>().text(from: $0) }
        == [document])
  }
}
