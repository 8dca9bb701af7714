import MohoMapping
import MohoRows

/// Divides texts into words as the server does, for searches in memory and for the words of
/// search texts. See ``SearchFunctions/words``.
final class WordTokenizer: TextTokenizer {
  static let shared = WordTokenizer()

  /// The maximum number of bytes of a word. The end of longer words is ignored.
  static let maximumLength = 32_768

  private let accents = Set(WordTable.accents)
  private let foldings = WordTable.foldings
  private let separators = WordTable.separators

  func words(of text: String, for purpose: TokenizedText) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    func endWord() {
      if !word.isEmpty { words.append(Self.shortened(word)) }
      word.removeAll(keepingCapacity: true)
    }
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        switch scalar {
        case "a"..."z", "0"..."9": word.append(UInt8(scalar.value))
        case "A"..."Z": word.append(UInt8(scalar.value) + 32)
        default: endWord()
        }
      } else if accents.contains(scalar.value) {
        continue
      } else if isSeparator(scalar.value) {
        endWord()
      } else {
        let folded = foldings[scalar.value].flatMap { Unicode.Scalar($0) } ?? scalar
        word += UTF8.encode(folded) ?? UTF8.EncodedScalar()
      }
    }
    endWord()
    return words
  }

  private static func shortened(_ word: [UInt8]) -> [UInt8] {
    guard word.count > maximumLength else { return word }
    var end = maximumLength
    // The bytes of a character remain together.
    while word[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
    return Array(word[..<end])
  }

  private func isSeparator(_ character: UInt32) -> Bool {
    var range = separators.indices
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if separators[middle].contains(character) { return true }
      range =
        character < separators[middle].lowerBound
        ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return false
  }
}
