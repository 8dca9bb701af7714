public import MohoChanges

/// A section of a result.
public struct ResultsSection: Sendable, Hashable {
  /// The value of the section key that its rows have.
  public let key: SectionKey

  /// How many rows it has.
  public let count: Int

  /// The section key as text; empty for nil, and for the single section of a
  /// result without sections.
  public var name: String { key.name }

  /// The first letter of the name in upper case, for an index beside the list;
  /// empty where there is no name.
  public var indexTitle: String { name.prefix(1).uppercased() }
}
