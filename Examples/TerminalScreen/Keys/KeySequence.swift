/// The keys of control sequences.
enum KeySequence {
  /// The key of `ESC [`, parameters and a final byte; nil if it is unknown.
  /// Modifier keys are ignored.
  static func key(_ parameters: [UInt8], final: UInt8) -> Key? {
    if parameters.first == UInt8(ascii: "<") {
      return MouseEvent(parameters.dropFirst(), final: final).map { .mouse($0) }
    }
    guard final == UInt8(ascii: "~") else {
      return final == UInt8(ascii: "Z") ? .backTab : key(final: final)
    }
    let number = parameters.prefix { $0 != UInt8(ascii: ";") }
    return switch String(decoding: number, as: UTF8.self) {
    case "1", "7": .home
    case "3": .delete
    case "4", "8": .end
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }

  /// The key of `ESC O` or `ESC [` and a letter.
  static func key(final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "M"): .enter
    default: nil
    }
  }
}
