/// Parses characters and control sequences from chunks of bytes of any size.
struct SequenceParser: Sendable {
  enum Item {
    case character(UnicodeScalar)
    case control(UnicodeScalar)
    /// `ESC [`, parameters and a final character.
    case sequence(String, Character)
  }

  private enum State {
    case ground
    case escape
    case sequence(String)
  }

  private var state = State.ground
  private var bytes: [UInt8] = []

  mutating func parse(_ new: some Sequence<UInt8>) -> [Item] {
    bytes += new
    var items: [Item] = []
    var rest = bytes[...]
    while let first = rest.first {
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      guard rest.count >= length else { break }
      for scalar in String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars {
        take(scalar, &items)
      }
      rest = rest.dropFirst(length)
    }
    bytes = Array(rest)
    return items
  }

  private mutating func take(_ scalar: UnicodeScalar, _ items: inout [Item]) {
    switch state {
    case .ground:
      if scalar == "\u{1B}" {
        state = .escape
      } else if scalar.properties.generalCategory == .control {
        items.append(.control(scalar))
      } else {
        items.append(.character(scalar))
      }
    case .escape:
      state = scalar == "[" ? .sequence("") : .ground
      if scalar != "[" { items += [.control("\u{1B}"), .character(scalar)] }
    case .sequence(let parameters):
      if (0x40..<0x7F).contains(scalar.value) {
        state = .ground
        items.append(.sequence(parameters, Character(scalar)))
      } else {
        state = .sequence(parameters + String(scalar))
      }
    }
  }
}
