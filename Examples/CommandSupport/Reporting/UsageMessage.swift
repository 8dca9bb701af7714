import TextTables

/// A message of the argument parser.
enum UsageMessage {
  /// The lines of a message about arguments. Line breaks in quoted arguments are escaped;
  /// line breaks of the message itself are not. Addresses of servers are quoted without
  /// passwords.
  static func lines(_ message: String, _ arguments: some Sequence<String>) -> [String] {
    let words = arguments.flatMap { word in
      // Messages quote name and value of `--name=value` separately.
      [word] + word.split(separator: "=", maxSplits: 1).map(String.init)
    }
    let pairs = words.map { ($0, VisibleText.escaped(shown($0))) }
    // A word can occur in an address.
    let quoted = pairs.filter { $0 != $1 }.sorted { $0.0.utf8.count > $1.0.utf8.count }
      .reduce(message) { $0.replacing($1.0, with: $1.1) }
    return quoted.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A word without passwords. An option is shown without its value.
  private static func shown(_ word: String) -> String {
    guard word.hasPrefix("-") else { return "\(StoreLocation(word))" }
    let name = word.prefix { !"=:".contains($0) }
    return name.endIndex == word.endIndex ? word : name + "…"
  }
}
