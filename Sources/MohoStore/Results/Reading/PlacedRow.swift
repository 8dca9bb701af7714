package import MohoMapping

/// A row of a result and where it stands.
package struct PlacedRow: Sendable {
  package let rowID: Int64
  /// The row directly before it; nil where it is the first of all.
  package let predecessor: Int64?
  /// The value of the section key, null without one.
  package let section: FieldContent
}
