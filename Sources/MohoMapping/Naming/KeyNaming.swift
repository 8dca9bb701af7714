/// How documents spell the names of keys that declare no path of their own.
///
/// ```swift
/// static let mapping = Mapping("Episode", naming: .snakeCase, Episode.init,
///   .key("thumbnailURL", \.thumbnailURL),  // thumbnail_url
///   .key("guid", \.guid, json: "GUID"))
/// ```
///
/// Names are only ever made from keys, never keys from names, so that a key is
/// found again under the name that it is written to. Two keys that would get
/// one name are an issue of the declaration.
public struct KeyNaming: Sendable {
  let name: @Sendable (String) -> String

  /// Makes a strategy of a function from a key's name to its name in documents.
  public init(_ name: @escaping @Sendable (String) -> String) { self.name = name }

  /// As the key is called.
  public static let asDeclared = KeyNaming { $0 }

  /// Words in lower case, joined by underscores: `thumbnailURL` is
  /// `thumbnail_url`, `URLString` is `url_string`.
  public static let snakeCase = KeyNaming { words($0).joined(separator: "_") }

  /// Words in lower case, joined by hyphens.
  public static let kebabCase = KeyNaming { words($0).joined(separator: "-") }

  /// The words of a name in camel case, in lower case. A capital begins a word
  /// after a letter that is none, and the last of several does before a letter
  /// that is none.
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
