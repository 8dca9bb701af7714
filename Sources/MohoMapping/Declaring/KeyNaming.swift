/// A strategy that names keys in documents if they declare no path.
///
/// ```swift
/// static let mapping = Mapping("Episode", naming: .snakeCase, Episode.init,
///   .key("thumbnailURL", \.thumbnailURL),  // thumbnail_url
///   .key("guid", \.guid, json: "GUID"))
/// ```
///
/// A strategy converts key names to document names, never the other way around.
/// A key is therefore always read at the name that it is written to. If two
/// keys get the same document name, the mapping reports an issue.
public struct KeyNaming: Sendable {
  let name: @Sendable (String) -> String

  /// Creates a strategy from a function that returns the document name of a
  /// key.
  public init(_ name: @escaping @Sendable (String) -> String) { self.name = name }

  /// The name of the key, unchanged.
  public static let asDeclared = KeyNaming { $0 }

  /// Lowercase words joined with underscores: `thumbnailURL` becomes
  /// `thumbnail_url`, and `URLString` becomes `url_string`.
  public static let snakeCase = KeyNaming { words($0).joined(separator: "_") }

  /// Lowercase words joined with hyphens.
  public static let kebabCase = KeyNaming { words($0).joined(separator: "-") }

  /// Splits a camel case name into lowercase words. An uppercase letter begins
  /// a word if the previous letter is not uppercase or the next letter is
  /// lowercase.
  private static func words(_ name: String) -> [String] {
    let characters = Array(name)
    var words: [String] = []
    for (index, character) in characters.enumerated() {
      let isAfterSmall = index > 0 && !characters[index - 1].isUppercase
      let isBeforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
      if words.isEmpty || (character.isUppercase && (isAfterSmall || isBeforeSmall)) {
        words.append("")
      }
      words[words.count - 1] += character.lowercased()
    }
    return words
  }
}
