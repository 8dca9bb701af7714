/// The color and the attributes of text.
public struct Style: Hashable, Sendable {
  /// The colors of text, with their numbers in ECMA-48.
  public enum Color: Int, Sendable {
    /// A color of the user's palette.
    case red = 1, green, yellow, blue, magenta, cyan
  }

  /// The color; nil for the default color.
  public var color: Color?
  /// Whether the text is bold.
  public var isBold = false
  /// Whether the text is dimmed.
  public var isDim = false
  /// Whether foreground and background are exchanged.
  public var isReversed = false
  /// Whether the text is underlined.
  public var isUnderlined = false

  /// Creates a style.
  public init(
    _ color: Color? = nil, isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false,
    isUnderlined: Bool = false
  ) {
    self.color = color
    self.isBold = isBold
    self.isDim = isDim
    self.isReversed = isReversed
    self.isUnderlined = isUnderlined
  }

  /// The default style.
  public static let plain = Style()

  /// The control sequence that sets the style and resets any other.
  func sequence(hasColor: Bool) -> String {
    var codes = ["0"]
    if isBold { codes.append("1") }
    if isDim { codes.append("2") }
    if isUnderlined { codes.append("4") }
    if isReversed { codes.append("7") }
    if hasColor, let color { codes.append("\(30 + color.rawValue)") }
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }
}
