import MohoMapping
import MohoTesting

@testable import MohoRows

/// Returns a schema with every kind of relationship.
func randomSchema(_ values: inout RandomValues) throws -> Schema {
  let names = ["A", "order", "a \"quoted\" name", "Ä"]
  let count = 2 + values.generator.below(3)
  var relationships = [[Relationship]](repeating: [], count: count)
  for number in 0..<(2 + values.generator.below(4)) {
    let (one, other) = (values.generator.below(count), values.generator.below(count))
    let (there, back) = ("r \(number)", "b\(number)")
    let isOrdered = values.generator.oneIn(3)
    switch values.generator.below(5) {
    case 0: relationships[one].append(.toOne(there, names[other]))
    case 1:
      relationships[one].append(.toOne(there, names[other], inverse: back))
      relationships[other].append(.toMany(back, names[one], isOrdered: isOrdered, inverse: there))
    case 2:
      relationships[one].append(.toOne(there, names[other], inverse: back))
      relationships[other].append(.toOne(back, names[one], inverse: there))
    case 3: relationships[one].append(.toMany(there, names[other], isOrdered: isOrdered))
    default:
      relationships[one].append(.toMany(there, names[other], inverse: back))
      relationships[other].append(.toMany(back, names[one], isOrdered: isOrdered, inverse: there))
    }
  }
  return try Schema(
    (0..<count).map { index in
      let types = AttributeType.allCases.filter { _ in values.generator.below(3) > 0 }
      var attributes = types.map { type in
        Attribute("a.\(type.rawValue)", type, isOptional: values.generator.below(3) > 0)
      }
      attributes.append(Attribute("text", .string, isOptional: true))
      if values.generator.oneIn(2) { attributes.append(RandomCard.attribute) }
      let isKeyed = values.generator.oneIn(2)
      if isKeyed { attributes.append(Attribute("key", .int64)) }
      return Entity(
        names[index], attributes: attributes, relationships: relationships[index],
        unique: isKeyed ? [["key"]] : [],
        searchable: attributes.map(\.name).filter { name in
          name == "text" || name == "a.string" && values.generator.oneIn(2)
        })
    })
}
