import TerminalScreen

/// The keys of the screen that shows a list, and the commands that they run.
///
/// Keys that must work in every list are not part of the bindings: Ctrl-C,
/// Ctrl-L, Ctrl-Z and Esc.
public struct KeyBindings: Hashable, Sendable {
  /// A key and its command.
  struct Binding: Hashable, Sendable {
    var key: Key
    var command: Command
  }

  /// The bindings, in the order in which the help shows the keys of a command.
  private(set) var bindings: [Binding]
  private var commands: [Key: Command]

  init(_ bindings: [Binding]) {
    self.bindings = bindings
    commands = Dictionary(bindings.map { ($0.key, $0.command) }) { first, _ in first }
  }

  /// The default bindings.
  public init() {
    self.init(
      Command.allCases.flatMap { command in
        command.defaultKeys.map { Binding(key: $0, command: command) }
      })
  }

  /// The command of a key.
  subscript(_ key: Key) -> Command? { commands[key] }

  /// The keys of a command.
  func keys(of command: Command) -> [Key] {
    bindings.filter { $0.command == command }.map(\.key)
  }

  /// The first key of a command, as the screen shows it; nil if no key runs the
  /// command.
  func shownKey(of command: Command) -> String? { keys(of: command).first.map(Self.shown) }

  /// The keys of a command, as the screen shows them.
  func shownKeys(of command: Command) -> String {
    keys(of: command).map(Self.shown).joined(separator: "  ")
  }

  private static func shown(_ key: Key) -> String {
    switch key {
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    default: key.name ?? ""
    }
  }
}
