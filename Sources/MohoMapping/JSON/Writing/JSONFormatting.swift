/// The layout of encoded JSON.
///
/// ```swift
/// let text = try adapter.data(from: episodes, formatting: [.pretty, .sorted])
/// ```
public struct JSONFormatting: OptionSet, Hashable, Sendable {
  /// The options as a bit set.
  public let rawValue: Int

  /// Creates options from a bit set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// One line without spaces, with keys in declaration order.
  public static let compact: JSONFormatting = []
  /// One line for each member and element, indented by two spaces a level.
  public static let pretty = JSONFormatting(rawValue: 1)
  /// The keys of each object sorted by their UTF-8 bytes.
  public static let sorted = JSONFormatting(rawValue: 2)
}
