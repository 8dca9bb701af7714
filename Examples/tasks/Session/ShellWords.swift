import ArgumentParser

/// Splits a line into words like a shell: quotes group words, and a backslash
/// escapes the next character.
enum ShellWords {
  static func split(_ line: String) throws -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else {
      throw ValidationError("The line ends inside quotes or after a backslash.")
    }
    return words + (word.map { [$0] } ?? [])
  }
}
