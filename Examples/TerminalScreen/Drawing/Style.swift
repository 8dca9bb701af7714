/// How text looks, apart from what it says.
public struct Style: Hashable, Sendable {
  /// The colors of a terminal, which its owner chooses.
  public enum Color: Int, Sendable {
    /// By their numbers in ECMA-48.
    case red = 1
    /// As text on the usual background.
    case green, yellow, blue, magenta, cyan
  }

  /// The color, or nil for that of other text.
  public var color: Color?
  /// Whether it stands out.
  public var isBold = false
  /// Whether it stands back.
  public var isDim = false
  /// Whether text and background are exchanged.
  public var isReversed = false
  /// Whether there is a line below.
  public var isUnderlined = false

  /// Makes a style.
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

  /// As other text.
  public static let plain = Style()

  /// The sequence after which text has the style, whatever it had before.
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
