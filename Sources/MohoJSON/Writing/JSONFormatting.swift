/// How written JSON is laid out.
///
/// ```swift
/// let text = try adapter.data(from: episodes, formatting: [.pretty, .sorted])
/// ```
public struct JSONFormatting: OptionSet, Hashable, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// On one line, without spaces, keys in declaration order.
  public static let compact: JSONFormatting = []
  /// A line for each member and element, indented by two spaces a level.
  public static let pretty = JSONFormatting(rawValue: 1)
  /// The keys of each object in the order of their bytes in UTF-8.
  public static let sorted = JSONFormatting(rawValue: 2)
}
