/// A sort order of a request by one value.
public struct Ordering: Sendable, Hashable {
  /// A sort direction.
  public enum Direction: Sendable, Hashable {
    /// Smaller values come first. By default, nil precedes all values.
    case ascending
    /// Greater values come first. By default, nil follows all values.
    case descending
  }

  /// The position of nil in the sort order.
  public enum NilPosition: Sendable, Hashable {
    /// Before all values.
    case first
    /// After all values.
    case last
  }

  /// The value to sort by.
  public let value: Operand
  /// The sort direction.
  public let direction: Direction
  /// The position of nil.
  public let nils: NilPosition
  /// The differences between texts that the ordering ignores.
  ///
  /// Without options, text is sorted by its UTF-8 bytes. With options, the text
  /// is folded first and then sorted by the UTF-8 bytes of its canonical
  /// composition. Texts that `equals(_:_:)` considers equal with the same
  /// options are equal in the sort order. The order does not depend on
  /// the locale.
  public let options: TextMatch.Options
  /// The order of texts, or nil to sort texts by their UTF-8 bytes.
  ///
  /// If there are options too, the text is folded first.
  public let collation: TextCollation?

  /// Creates an ordering.
  ///
  /// - Parameters:
  ///   - value: The value to sort by.
  ///   - direction: The sort direction.
  ///   - nils: The position of nil. By default, nil comes first in an ascending
  ///     order and last in a descending order.
  ///   - options: The differences between texts to ignore.
  ///   - collation: The order of texts. By default, texts are sorted by their
  ///     UTF-8 bytes.
  public init(
    _ value: Operand, _ direction: Direction = .ascending, nils: NilPosition? = nil,
    options: TextMatch.Options = [], collation: TextCollation? = nil
  ) {
    self.value = value
    self.direction = direction
    self.nils = nils ?? (direction == .ascending ? .first : .last)
    self.options = options
    self.collation = collation
  }

  /// The key to sort by, or nil if the ordering has a calculated value, text
  /// options or a collation.
  public var key: KeyName? {
    guard case .key(let name) = value.kind, !transformsText else { return nil }
    return name
  }

  /// Whether texts are not sorted by their bytes.
  package var transformsText: Bool { !options.isEmpty || collation != nil }
}
