/// The values of a row before it was written.
package struct PreviousRow {
  /// The fingerprints of the row's columns, or nil if they were not read.
  let fingerprints: [UInt64]?
  /// The identities of the linked rows, in the order of the table's link
  /// columns.
  let links: [Int64?]

  package init(fingerprints: [UInt64]?, links: [Int64?]) {
    self.fingerprints = fingerprints
    self.links = links
  }
}
