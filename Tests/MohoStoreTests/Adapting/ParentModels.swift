import Foundation
import MohoMapping
import MohoRows

/// A parent with ordered and unordered children, as nested values.
struct Parent: MappedModel, Equatable {
  var numberString: String?
  var requiredString: String?
  var date: Date?
  var url: URL?
  var orderedChildren: [Child]?
  var unorderedChildren: Set<Child> = []

  static let mapping = Mapping(
    "Parent", Parent.init,
    .key(
      "number", \.numberString,
      Transform<Int>.standard.map(to: { "\($0)" }, from: { Int($0) ?? 0 }), .unique),
    .key("string", \.requiredString), .key("date", \.date), .key("url", \.url),
    .toMany("orderedChildren", \.orderedChildren, inverse: "parent2"),
    .toMany("unorderedChildren", \.unorderedChildren, inverse: "parent1"))

  /// An entity that requires the string, which is optional in the model.
  static let entity = Entity(
    "Parent",
    attributes: [
      Attribute("number", .int64, isOptional: true), Attribute("string", .string),
      Attribute("date", .date, isOptional: true), Attribute("url", .url, isOptional: true),
    ],
    relationships: [
      .toMany("orderedChildren", "Child", isOrdered: true, inverse: "parent2"),
      .toMany("unorderedChildren", "Child", inverse: "parent1"),
    ], unique: [["number"]])
}

/// A child that refers to its parents by key.
struct Child: MappedModel, Hashable {
  var childID: Int
  var parent1: ModelReference<Parent>?
  var parent2: ModelReference<Parent>?

  static let mapping = Mapping(
    "Child", Child.init, .key("childID", \.childID, .unique),
    .toOne("parent1", \.parent1, inverse: "unorderedChildren"),
    .toOne("parent2", \.parent2, inverse: "orderedChildren"))

  static let entity = Entity(
    "Child", attributes: [Attribute("childID", .int16)],
    relationships: [
      .toOne("parent1", "Parent", inverse: "unorderedChildren"),
      .toOne("parent2", "Parent", inverse: "orderedChildren"),
    ], unique: [["childID"]])
}
