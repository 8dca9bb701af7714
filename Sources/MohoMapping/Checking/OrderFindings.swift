/// What comparing the keys of a mapping with its initializer's arguments found.
struct OrderFindings: Sendable {
  /// The keys that are misplaced.
  var issues: [DeclarationIssue] = []
  /// The keys that samples could not tell apart.
  var notes: [DeclarationNote] = []
  /// What is known about these keys. The first models that are read decide.
  var unchecked: [OrderEvidence] = []
}

/// A remark about the declaration of a mapping that is not a mistake: what could
/// not be checked before a model is read.
public struct DeclarationNote: Hashable, Sendable, CustomStringConvertible {
  /// The remark, with the names of the keys.
  public let description: String

  init(_ description: String) { self.description = description }
}
