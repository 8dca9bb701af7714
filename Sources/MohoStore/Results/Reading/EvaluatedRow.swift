package import MohoMapping

/// A row of a result with the values that say where it belongs.
package struct EvaluatedRow: Sendable {
  package let rowID: Int64
  /// The value of the section key, null without one.
  package let section: FieldContent
  /// The values of the terms, the identity last.
  let values: [KeptValue]
}
