import Foundation
import TerminalScreen
import TextTables

/// The mistakes in a file of key bindings.
public struct KeyBindingsError: Error, Sendable, CustomStringConvertible {
  /// A mistake in a line.
  public struct Mistake: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of mistakes.
    public enum Kind: Hashable, Sendable {
      /// The line is not `command = key`.
      case malformedLine(String)
      /// No command has the name.
      case unknownCommand(String)
      /// No key has the name.
      case unknownKey(String)
      /// The meaning of the key cannot be changed.
      case reservedKey(String)
      /// An earlier line binds the key.
      case repeatedKey(String, line: Int)
    }

    /// The number of the line, from 1.
    public var line: Int
    /// The mistake.
    public var kind: Kind

    /// The mistake and the number of the line.
    public var description: String {
      let reason =
        switch kind {
        case .malformedLine(let text):
          "expected `command = key`, found \(VisibleText.quoted(text))"
        case .unknownCommand(let name): "unknown command: \(VisibleText.quoted(name))"
        case .unknownKey(let name): "unknown key: \(VisibleText.quoted(name))"
        case .reservedKey(let name): "the key \(name) cannot be bound"
        case .repeatedKey(let name, let line): "the key \(name) is already bound on line \(line)"
        }
      return "line \(self.line): \(reason)"
    }
  }

  /// The mistakes, by line.
  public let mistakes: [Mistake]

  /// The mistakes on a line each.
  public var description: String { mistakes.map(\.description).joined(separator: "\n") }
}

extension KeyBindings {
  /// Keys that have the same meaning in every list.
  private static let reserved: [Key] = [.control("c"), .control("l"), .control("z"), .escape]

  /// Reads the text of a file of key bindings.
  ///
  /// Each line is `command = key`. A `#` at the beginning of a line or after a
  /// space begins a comment. A command that the file names has only the keys of
  /// its lines; `command =` leaves it without keys. Other commands retain their
  /// default keys, except for those that the file binds.
  ///
  /// - Throws: ``KeyBindingsError`` with all mistakes.
  public init(_ text: String) throws {
    var reader = Reader()
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() { reader.read(String(line), number + 1) }
    guard reader.mistakes.isEmpty else { throw KeyBindingsError(mistakes: reader.mistakes) }
    let keys = Set(reader.bindings.map(\.key))
    let defaults = KeyBindings().bindings.filter {
      !reader.commands.contains($0.command) && !keys.contains($0.key)
    }
    self.init(reader.bindings + defaults)
  }

  /// The bindings as the text of a file.
  public var text: String {
    let lines = Command.allCases.flatMap { command -> [String] in
      let names = keys(of: command).compactMap(\.name)
      return names.isEmpty ? ["\(command.rawValue) ="] : names.map { "\(command.rawValue) = \($0)" }
    }
    return (Self.introduction + lines).map { $0 + "\n" }.joined()
  }

  private static let introduction = [
    "# The keys of `episode-feed watch`: a command and one of its keys on each line.",
    "# A command in this file has only the keys of its lines. Without a key after",
    "# the = it has none. Commands that are not in this file have their default keys.",
    "# Keys are characters, Space, Hash, Enter, Tab, Shift-Tab, Backspace, Delete, Up,",
    "# Down, Left, Right, Home, End, PageUp, PageDown, Ctrl-A, and Alt-A. Ctrl-C, Ctrl-L,",
    "# Ctrl-Z and Esc cannot be bound.",
  ]

  /// The bindings of the lines that were read.
  private struct Reader {
    var bindings: [Binding] = []
    var commands: Set<Command> = []
    var mistakes: [KeyBindingsError.Mistake] = []
    private var lineNumbers: [Key: Int] = [:]

    mutating func read(_ line: String, _ number: Int) {
      let text = Self.withoutComment(line).trimmingCharacters(in: .whitespaces)
      if text.isEmpty { return }
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, !parts[0].isEmpty else { return add(.malformedLine(text), number) }
      guard let command = Command(rawValue: parts[0]) else {
        return add(.unknownCommand(parts[0]), number)
      }
      commands.insert(command)
      if parts[1].isEmpty { return }
      guard let key = Key(name: parts[1]) else { return add(.unknownKey(parts[1]), number) }
      guard !reserved.contains(key) else {
        return add(.reservedKey(key.name ?? parts[1]), number)
      }
      if let first = lineNumbers[key] {
        return add(.repeatedKey(key.name ?? parts[1], line: first), number)
      }
      lineNumbers[key] = number
      bindings.append(Binding(key: key, command: command))
    }

    private mutating func add(_ kind: KeyBindingsError.Mistake.Kind, _ line: Int) {
      mistakes.append(KeyBindingsError.Mistake(line: line, kind: kind))
    }

    private static func withoutComment(_ line: String) -> String {
      var isAfterSpace = true
      for (index, character) in zip(line.indices, line) {
        if character == "#", isAfterSpace { return String(line[..<index]) }
        isAfterSpace = character.isWhitespace
      }
      return line
    }
  }
}
