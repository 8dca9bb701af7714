import Foundation

/// A JSON writer specialized for episodes: the floor for encoding.
struct StraightLineWriter {
  private var bytes: [UInt8] = []

  static func data(_ episodes: [FeedEpisode]) -> [UInt8] {
    var writer = StraightLineWriter()
    writer.bytes.reserveCapacity(episodes.count * 500)
    writer.put("[")
    for (index, episode) in episodes.enumerated() {
      if index > 0 { writer.put(",") }
      writer.write(episode)
    }
    writer.put("]")
    return writer.bytes
  }

  private mutating func write(_ episode: FeedEpisode) {
    put("{\"id\":")
    put(episode.id)
    put(",\"guid\":")
    put(text: episode.guid)
    put(",\"title\":")
    put(text: episode.title)
    put(",\"summary\":")
    put(text: episode.summary)
    put(",\"author\":")
    put(text: episode.author)
    put(",\"published_at\":\"")
    put(date: Int(episode.publishedAt.timeIntervalSince1970))
    put("\",\"number\":")
    put(episode.number)
    if let season = episode.season {
      put(",\"season\":")
      put(season)
    }
    put(",\"explicit\":")
    put(episode.isExplicit ? "true" : "false")
    put(",\"duration\":")
    put(episode.duration)
    put(",\"rating\":")
    put(episode.rating)
    put(",\"media\":{\"url\":")
    put(text: episode.mediaURL)
    put(",\"size\":")
    put(episode.mediaSize)
    put("}}")
  }

  @inline(__always)
  private mutating func put(_ text: StaticString) {
    bytes += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  private mutating func put(_ number: Int) {
    if number < 0 { put("-") }
    var rest = number.magnitude
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      repeat {
        start -= 1
        digits[start] = UInt8(truncatingIfNeeded: rest % 10) + 0x30
        rest /= 10
      } while rest > 0
      bytes += digits[start...]
    }
  }

  /// Writes a time in UTC, such as `2026-11-20T08:00:00Z`.
  private mutating func put(date seconds: Int) {
    var time = seconds
    var broken = tm()
    gmtime_r(&time, &broken)
    put(digits: Int(broken.tm_year) + 1900, count: 4)
    put("-")
    put(digits: Int(broken.tm_mon) + 1)
    put("-")
    put(digits: Int(broken.tm_mday))
    put("T")
    put(digits: Int(broken.tm_hour))
    put(":")
    put(digits: Int(broken.tm_min))
    put(":")
    put(digits: Int(broken.tm_sec))
    put("Z")
  }

  private mutating func put(digits number: Int, count: Int = 2) {
    if count > 1 { put(digits: number / 10, count: count - 1) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  private mutating func put(_ number: Double) {
    let whole = Int(exactly: number)
    if let whole { return put(whole) }
    bytes += number.description.utf8
  }

  private mutating func put(text: String) {
    put("\"")
    var text = text
    text.withUTF8 { utf8 in
      var start = 0
      for (index, byte) in utf8.enumerated()
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes += utf8[start..<index]
        start = index + 1
        switch byte {
        case UInt8(ascii: "\n"): put("\\n")
        case UInt8(ascii: "\t"): put("\\t")
        case UInt8(ascii: "\""): put("\\\"")
        case UInt8(ascii: "\\"): put("\\\\")
        default: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
        }
      }
      bytes += utf8[start...]
    }
    put("\"")
  }
}
