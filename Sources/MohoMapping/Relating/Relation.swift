/// The declaration of a relation to other models.
///
/// Documents hold related models as nested values or as references. A store has
/// a row for each of them and links the rows.
public struct Relation: Sendable, Hashable {
  /// The related models, and whether there is one or several of them.
  public let models: RelatedModels
  /// The key of the related model that is the inverse relation.
  public let inverse: String?
  /// What happens to the related rows when this row is deleted. Nil if this
  /// relation does not declare it.
  public let deleteRule: DeleteRule?
  /// What happens to this row when the row that it refers to is deleted. Nil if
  /// this relation does not declare it.
  public let targetDeleteRule: DeleteRule?
  /// The allowed number of related rows, or nil for any number.
  public let count: ClosedRange<Int>?
  /// What happens to stored links when a model is saved.
  public let linkPolicy: LinkPolicy

  /// Whether saving a model adds its links to the stored ones.
  package var addsLinks: Bool { models.isToMany && linkPolicy == .merge }
}

/// What happens to the rows at one end of a link when the row at the other end
/// is deleted.
///
/// | declaration | deleted row | affected rows | SQL |
/// |---|---|---|---|
/// | `.toMany(…, onDelete:)` | this row | the related rows | `ON DELETE` of their foreign key |
/// | `.toOne(…, whenTargetIsDeleted:)` | the related row | this row | `ON DELETE` of this foreign key |
/// | `.toOne(…, whenThisIsDeleted:)` | this row | the related row | a trigger |
public enum DeleteRule: String, Sendable, Hashable {
  /// The affected rows remain. Their link becomes nil.
  case nullify
  /// The affected rows are deleted as well.
  case cascade
  /// The affected rows are deleted as well, even if other rows refer to them.
  ///
  /// A to-one relation requires this rule instead of ``cascade`` if several rows
  /// can refer to the related row.
  case cascadeEvenIfShared
  /// The row cannot be deleted while affected rows exist.
  case deny
  /// The affected rows remain unchanged. Deleting the row fails if that would
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
