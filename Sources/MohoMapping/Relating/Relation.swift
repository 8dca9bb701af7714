/// What a key declares about the models that it relates to.
///
/// A document holds related models as nested values or as references. A store
/// keeps each in a row of its own and links the rows.
public struct Relation: Sendable, Hashable {
  /// The related models, and whether the key holds one or many of them.
  public let models: RelatedModels
  /// The key of the related model that is the way back, or nil where there is
  /// none.
  public let inverse: String?
  /// What becomes of the related rows when a row is deleted.
  public let deleteRule: DeleteRule
  /// How many rows may be related, of a relation to many; nil for any number.
  public let count: ClosedRange<Int>?
  /// What saving a model makes of the links that are stored.
  public let linkPolicy: LinkPolicy
}

/// What becomes of the rows that a row is related to when it is deleted.
public enum DeleteRule: String, Sendable, Hashable {
  /// They stay, and their way back, where they have one, is nil.
  case nullify
  /// They are deleted too.
  case cascade
  /// The row cannot be deleted as long as there are any.
  case deny
  /// They stay as they are: the deletion fails where that would leave a link to
  /// nothing.
  case noAction
}

/// What saving a model makes of the links that are stored already.
public enum LinkPolicy: Sendable, Hashable {
  /// The row is linked to what the model says and nothing else; rows that it was
  /// linked to before stay, unlinked, or are deleted.
  case replace(removed: Removed)
  /// What the model says is linked besides what is. New links of an ordered
  /// relation come behind the others.
  case merge

  /// What becomes of rows that are no longer linked.
  public enum Removed: String, Sendable, Hashable {
    /// They stay.
    case unlink
    /// They are deleted.
    case delete
  }

  /// Only what the model says is linked; other rows stay, unlinked.
  public static let replace = LinkPolicy.replace(removed: .unlink)
}
