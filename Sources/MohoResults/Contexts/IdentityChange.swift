public import MohoChanges
public import MohoStore

/// A row of a result that has got another identity, because it was saved.
///
/// It is the same row: it keeps its number in the index, and its place unless a
/// change of the same update says otherwise.
public struct IdentityChange: Hashable, Sendable {
  /// Where the row stands, in new space.
  public let path: RowPath
  /// The temporary identity that the row had.
  public let old: RowIdentity
  /// The identity that it has in the store.
  public let new: RowIdentity
}
