/// The declaration of a relation to other models.
///
/// Documents hold related models as nested values or as references. A store has
/// a row for each of them and links the rows.
public struct Relation: Sendable, Hashable {
  /// The related models, and whether there is one or several of them.
  public let models: RelatedModels
  /// The key of the related model that is the inverse relation.
  public let inverse: String?
  /// What happens to the related rows when a row is deleted.
  public let deleteRule: DeleteRule
  /// The allowed number of related rows, or nil for any number.
  public let count: ClosedRange<Int>?
  /// What happens to stored links when a model is saved.
  public let linkPolicy: LinkPolicy
}

/// What happens to related rows when a row is deleted.
public enum DeleteRule: String, Sendable, Hashable {
  /// The related rows remain. Their inverse relation becomes nil.
  case nullify
  /// The related rows are deleted as well.
  case cascade
  /// The row cannot be deleted while related rows exist.
  case deny
  /// The related rows remain unchanged. Deleting the row fails if that would
  /// leave a dangling link.
  case noAction
}

/// What happens to stored links when a model is saved.
public enum LinkPolicy: Sendable, Hashable {
  /// The links of the model replace the stored links. Rows that lose their link
  /// remain or are deleted.
  case replace(removed: RemovedRows)
  /// The links of the model are added to the stored links. In an ordered
  /// relation, new links come last.
  case merge

  /// What happens to rows that lose their link.
  public enum RemovedRows: String, Sendable, Hashable {
    /// The rows remain.
    case unlink
    /// The rows are deleted.
    case delete
  }

  /// The links of the model replace the stored links. Rows that lose their link
  /// remain.
  public static let replace = LinkPolicy.replace(removed: .unlink)
}
