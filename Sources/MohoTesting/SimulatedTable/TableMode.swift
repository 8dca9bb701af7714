/// How much a simulated table demands of a batch update.
public struct TableMode: OptionSet, Sendable {
  /// The bits of the demands.
  public let rawValue: Int

  /// Makes a mode of its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// What the views demand: rows deleted in deleted sections and inserted in
  /// inserted ones are absorbed.
  public static let uikit: TableMode = []
  /// Refuses what the views absorb: ``TableRule/redundantOperation``.
  public static let strict = TableMode(rawValue: 1 << 0)
  /// Refuses to draw what need not be drawn: ``TableRule/unnecessaryRendering``.
  public static let minimal = TableMode(rawValue: 1 << 1)
}
