/// How a request orders rows by one value.
public struct Ordering: Sendable, Hashable {
  /// Which values come first.
  public enum Direction: Sendable, Hashable {
    /// Small values first, nil before all.
    case ascending
    /// Great values first, nil after all.
    case descending
  }

  /// Where rows without a value stand.
  public enum NilPlace: Sendable, Hashable {
    /// Before all.
    case first
    /// After all.
    case last
  }

  /// The value.
  public let value: Operand
  /// Which values come first.
  public let direction: Direction
  /// Where rows without a value stand.
  public let nils: NilPlace
  /// What is left out of account in texts.
  ///
  /// Without options texts are ordered by their UTF-8 bytes, else by those of
  /// what is left, in canonical composition: texts that
  /// ``TextMatch/Place/equals`` with the options are equal. No locale has a
  /// part in it.
  public let options: TextMatch.Options

  /// Makes an ordering.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - direction: Which values come first.
  ///   - nils: Where rows without a value stand; before all in an ascending
  ///     order unless given, after all in a descending one.
  ///   - options: What is left out of account in texts.
  public init(
    _ value: Operand, _ direction: Direction = .ascending, nils: NilPlace? = nil,
    options: TextMatch.Options = []
  ) {
    self.value = value
    self.direction = direction
    self.nils = nils ?? (direction == .ascending ? .first : .last)
    self.options = options
  }

  /// The key, where rows are ordered by the plain value of one.
  public var key: KeyName? {
    guard case .key(let name) = value.kind, options.isEmpty else { return nil }
    return name
  }
}
