import Foundation
import MohoMapping

/// A value with a number that depends on all of its parts, but not on their
/// order. The floor in C++ computes the same numbers.
protocol Checksummed {
  var checksum: Int { get }
}

private func sum(_ values: any Checksummed...) -> Int { values.reduce(0) { $0 + $1.checksum } }

extension MicroblogStatus: Checksummed {
  var checksum: Int {
    sum(
      id, createdAt, editedAt, replyID, content, warning, isSensitive, visibility, language, uri,
      url, counts.replies, counts.boosts, counts.favorites, isBookmarked, author, boost,
      attachments, mentions, tags, emojis, card, poll, others)
  }
}

extension MicroblogAccount: Checksummed {
  var checksum: Int {
    sum(
      id, name, handle, displayName, isLocked, isBot, createdAt, note, url, avatar, header,
      followers, following, statuses, isDiscoverable, fields)
  }
}

extension MicroblogField: Checksummed {
  var checksum: Int { sum(name, value, verifiedAt) }
}

extension MicroblogMention: Checksummed {
  var checksum: Int { sum(id, name, handle, url) }
}

extension MicroblogTag: Checksummed {
  var checksum: Int { sum(name, url) }
}

extension MicroblogEmoji: Checksummed {
  var checksum: Int { sum(code, url) }
}

extension MicroblogCard: Checksummed {
  var checksum: Int { sum(url, title, description, type, image) }
}

extension MicroblogPoll: Checksummed {
  var checksum: Int { sum(id, expiresAt, isMultiple, votes, options) }
}

extension MicroblogOption: Checksummed {
  var checksum: Int { sum(title, votes) }
}

extension MicroblogAttachment: Checksummed {
  /// Adds a different number for each type.
  var checksum: Int {
    switch self {
    case .image(let image): sum(image.file, image.size, image.focus)
    case .video(let clip): sum(clip, 1)
    case .animation(let clip): sum(clip, 2)
    case .audio(let sound): sum(sound.file, sound.duration, sound.bitrate, 3)
    case .other(let type, let members): sum(type, members, 4)
    }
  }
}

extension MicroblogClip: Checksummed {
  var checksum: Int { sum(file, size, duration) }
}

extension MicroblogFile: Checksummed {
  var checksum: Int { sum(id, url, preview, description, blurhash) }
}

extension MicroblogSize: Checksummed {
  var checksum: Int { sum(width, height) }
}

extension String: Checksummed {
  var checksum: Int { utf8.count }
}

extension Int: Checksummed {
  var checksum: Int { self }
}

extension Double: Checksummed {
  /// The number in thousandths.
  var checksum: Int { abs(self) < 1e15 ? Int((self * 1_000).rounded()) : 0 }
}

extension Bool: Checksummed {
  var checksum: Int { self ? 1 : 0 }
}

extension Date: Checksummed {
  var checksum: Int { timeIntervalSince1970.checksum }
}

extension URL: Checksummed {
  /// The length of the scheme. Foundation encodes other parts of a URL.
  var checksum: Int { scheme?.utf8.count ?? 0 }
}

extension Optional: Checksummed where Wrapped: Checksummed {
  var checksum: Int { self?.checksum ?? 0 }
}

extension Array: Checksummed where Element: Checksummed {
  var checksum: Int { reduce(0) { $0 + $1.checksum } }
}

extension Dictionary: Checksummed where Key: Checksummed, Value: Checksummed {
  var checksum: Int { reduce(0) { $0 + $1.key.checksum + $1.value.checksum } }
}

extension JSONValue: Checksummed {
  var checksum: Int {
    switch self {
    case .null: 1
    case .bool(let bool): bool.checksum + 1
    case .integer(let integer): Double(integer).checksum
    case .number(let number): number.checksum
    case .exact(let number): Double(number.text)?.checksum ?? 0
    case .string(let string): string.checksum
    case .array(let elements): elements.reduce(0) { $0 + $1.checksum + 1 }
    case .object(let members): members.reduce(0) { $0 + $1.key.checksum + $1.value.checksum }
    }
  }
}
