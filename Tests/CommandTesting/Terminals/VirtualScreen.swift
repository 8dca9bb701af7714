/// The screen of a simulated terminal.
///
/// It supports the sequences of ECMA-48 and xterm that the programs use, and
/// collects all others in ``unknown``.
public struct VirtualScreen: Sendable {
  /// One column of a line.
  public struct Cell: Hashable, Sendable {
    /// The character; empty in the second cell of a wide character.
    public var text = " "
    /// The codes of the style, such as `1;31`.
    public var style = ""
  }

  /// The number of columns.
  public private(set) var width: Int
  /// The cells, line by line.
  public private(set) var cells: [[Cell]]
  /// The position of the next character.
  public private(set) var cursor = (line: 0, column: 0)
  /// The private modes that are on, such as 1049 for the alternate screen.
  public private(set) var modes: Set<Int> = [7, 25]
  /// Unsupported sequences and control characters.
  public private(set) var unknown: [String] = []
  /// How often the screen was cleared.
  public private(set) var clearCount = 0
  private var style = ""
  /// The main screen while the alternate screen is shown.
  private var main: (cells: [[Cell]], cursor: (line: Int, column: Int)) = ([], (0, 0))
  private var parser = SequenceParser()

  /// Creates an empty screen.
  public init(width: Int, height: Int) {
    self.width = width
    cells = Self.blank(width, height)
  }

  /// The lines as text without trailing spaces.
  public var lines: [String] {
    cells.map { line in
      let text = line.map(\.text).joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// All lines as text.
  public var text: String { lines.joined(separator: "\n") }

  /// Whether the alternate screen is shown.
  public var isAlternate: Bool { modes.contains(1049) }

  /// The styles of the cells that show a text; empty if it is not shown.
  public func styles(of text: String) -> [String] {
    for line in cells {
      // The text of a cell may be empty or several scalars, so count cells.
      for start in line.indices {
        var end = start
        var found = ""
        while end < line.count, found.count < text.count {
          found += line[end].text
          end += 1
        }
        if found == text { return line[start..<end].map(\.style) }
      }
    }
    return []
  }

  /// Changes the size of the screen. Cells outside the new size are lost.
  public mutating func resize(width: Int, height: Int) {
    var resized = Self.blank(width, height)
    for (line, old) in cells.enumerated().prefix(height) {
      for (column, cell) in old.enumerated().prefix(width) { resized[line][column] = cell }
    }
    self.width = width
    cells = resized
  }

  /// Writes to the screen.
  public mutating func write(_ bytes: some Sequence<UInt8>) {
    for item in parser.parse(bytes) {
      switch item {
      case .character(let scalar): put(scalar)
      case .control(let scalar): control(scalar)
      case .sequence(let parameters, let final): perform(parameters, final)
      }
    }
  }

  private static func blank(_ width: Int, _ height: Int) -> [[Cell]] {
    Array(repeating: Array(repeating: Cell(), count: width), count: height)
  }

  private mutating func put(_ scalar: UnicodeScalar) {
    let width = columns(scalar)
    guard width > 0 else {
      let column = max(0, cursor.column - 1)
      cells[cursor.line][column].text.unicodeScalars.append(scalar)
      return
    }
    if cursor.column + width > self.width {
      if modes.contains(7) { newLine() } else { cursor.column = self.width - width }
    }
    cells[cursor.line][cursor.column] = Cell(text: String(scalar), style: style)
    if width == 2 { cells[cursor.line][cursor.column + 1] = Cell(text: "", style: style) }
    cursor.column += width
  }

  /// The result of `wcwidth` for the characters in tests.
  private func columns(_ scalar: UnicodeScalar) -> Int {
    switch scalar.value {
    case 0x300...0x36F, 0x200D, 0xFE0F: 0
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xFF00...0xFF60, 0x1F300...0x1FAFF: 2
    default: 1
    }
  }

  private mutating func newLine() {
    cursor.column = 0
    cursor.line += 1
    if cursor.line == cells.count {
      cursor.line -= 1
      cells.removeFirst()
      cells.append(Array(repeating: Cell(), count: width))
    }
  }

  private mutating func control(_ scalar: UnicodeScalar) {
    switch scalar {
    case "\r": cursor.column = 0
    case "\n":
      let column = cursor.column
      newLine()
      cursor.column = column
    case "\u{7}": break
    default: unknown.append("U+\(String(scalar.value, radix: 16))")
    }
  }

  private mutating func perform(_ parameters: String, _ final: Character) {
    let numbers = parameters.drop { $0 == "?" }.split(separator: ";").map { Int($0) ?? 0 }
    switch (parameters.hasPrefix("?"), final) {
    case (false, "H"):
      cursor.line = min(max(0, (numbers.first ?? 1) - 1), cells.count - 1)
      cursor.column = min(max(0, (numbers.dropFirst().first ?? 1) - 1), width - 1)
    case (false, "J") where numbers == [2]:
      clearCount += 1
      cells = Self.blank(width, cells.count)
    case (false, "K") where numbers.isEmpty:
      for column in min(cursor.column, width)..<width { cells[cursor.line][column] = Cell() }
    case (false, "m"):
      style = numbers.filter { $0 != 0 }.map(String.init).joined(separator: ";")
    case (true, "h"), (true, "l"): for mode in numbers { set(mode, final == "h") }
    default: unknown.append("\(parameters)\(final)")
    }
  }

  private mutating func set(_ mode: Int, _ isOn: Bool) {
    guard [7, 25, 1000, 1006, 1049, 2004].contains(mode) else { return unknown.append("?\(mode)") }
    let wasOn = modes.contains(mode)
    if isOn { modes.insert(mode) } else { modes.remove(mode) }
    guard mode == 1049, isOn != wasOn else { return }
    let height = cells.count
    if isOn {
      main = (cells, cursor)
      cells = Self.blank(width, height)
    } else {
      (cells, cursor) = main
      resize(width: width, height: height)
    }
  }
}
