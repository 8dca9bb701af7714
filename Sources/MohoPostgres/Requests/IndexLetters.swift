import Foundation
import MohoMapping
import MohoRows
import Synchronization

/// The index letters of the plain characters of the Latin, Greek and Cyrillic alphabets,
/// which PostgreSQL looks up by the first character of a text.
struct IndexLetters: Sendable {
  /// The characters.
  let characters: String
  /// The letters of the characters, in the same order.
  let letters: String

  private static let alphabets: [ClosedRange<UInt32>] = [
    0x1...0x24F, 0x370...0x4FF, 0x1E00...0x1EFF, 0x2010...0x2027,
  ]

  private static let known = Lock<[String?: IndexLetters]>([:])

  /// Returns the letters of a locale, or those that do not depend on a locale.
  static func letters(in locale: String?) -> IndexLetters {
    known.withLock { $0.value(for: locale) { IndexLetters(locale) } }
  }

  private init(_ locale: String?) {
    var (characters, letters) = ("", "")
    for scalar in Self.alphabets.joined().compactMap({ Unicode.Scalar($0) }) where scalar.isPlain {
      let letter = String(Character(scalar)).indexLetter(in: locale).unicodeScalars
      guard letter.count == 1, let letter = letter.first, letter.isPlain else { continue }
      characters.unicodeScalars.append(scalar)
      letters.unicodeScalars.append(letter)
    }
    (self.characters, self.letters) = (characters, letters)
  }
}
