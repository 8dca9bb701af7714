package import MohoMapping

/// A migration step that transforms the values of a column.
package struct ColumnTransform: Sendable {
  package let entity: String
  package let key: String
  package let newKey: String
  package let transform: @Sendable (FieldContent) throws -> FieldContent

  package var summary: String {
    "transform the values of `\(entity).\(key)`" + (newKey == key ? "" : " into `\(newKey)`")
  }
}
