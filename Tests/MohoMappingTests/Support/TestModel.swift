import MohoMapping

/// A model with validation, repair, merging and a transient property.
struct TestModel: MappedModel, Equatable {
  var name: String?
  var count: UInt
  var nestedName: String?
  var role: String?
  var age: Int
  var isShown: Bool

  static let mapping = Mapping<TestModel>(
    "TestModel", TestModel.init,
    .key("name", \.name, json: "username"),
    .key("count", \.count, default: UInt(1)),
    .key("nestedName", \.nestedName, json: "nested.name"),
    .key("role", \.role),
    .key("age", \.age, default: 0),
    .transient(\.isShown, default: false)
  )
  .validating(\.name, "at most 9 characters") { ($0?.count ?? 0) < 10 }
  .repairing(\.role) { $0 ?? "none" }
  .validating("an age that fits the role") { $0.role != "child" || $0.age < 18 }
  .merging(\.count) { stored, incoming in stored + incoming }
  .merging(\.nestedName, .incomingUnlessNil)
  .merging(\.role, .stored)
  .merging(\.age, newerBy: \.age)

  static func make(
    name: String? = nil, count: UInt = 1, nestedName: String? = nil, role: String? = "none",
    age: Int = 0, isShown: Bool = false
  ) -> TestModel {
    TestModel(
      name: name, count: count, nestedName: nestedName, role: role, age: age, isShown: isShown)
  }
}
