/// The strictness of the checks of a batch update.
public struct TableMode: OptionSet, Sendable {
  /// The checks as bits.
  public let rawValue: Int

  /// Creates a mode from its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The rules of the views. They ignore rows that are deleted with their
  /// section or inserted with it.
  public static let uikit: TableMode = []
  /// Rejects operations that the views ignore:
  /// ``TableRule/redundantOperation``.
  public static let strict = TableMode(rawValue: 1 << 0)
  /// Rejects unnecessary drawing: ``TableRule/unnecessaryRendering``.
  public static let minimal = TableMode(rawValue: 1 << 1)
}
