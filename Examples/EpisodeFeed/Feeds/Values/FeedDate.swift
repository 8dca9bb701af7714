import Foundation
import Moho

/// Dates as feeds write them: forms of ISO 8601 and RFC 822, of `asctime`, and
/// with the name of the month before or after the day.
///
/// Weekdays, commas and comments in parentheses are ignored. A missing time is
/// the beginning of the day, a missing zone is UTC, and `24:00` is the end of the
/// day. A date of digits and slashes that does not begin with the year begins
/// with the month.
enum FeedDate {
  /// Parses a date; nil for other text and for days that do not exist.
  static func date(_ text: String) -> Date? {
    let text = text.replacing(/\([^()]*\)/, with: " ")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.utf8.count <= 100 else { return nil }
    if let date = DateFormat.iso8601.date(text) { return date }
    return (Parts(iso: text) ?? Parts(words: text))?.date()
  }

  /// The parts of a date before their values are checked.
  struct Parts {
    var year: Int?
    var month: Int?
    var day: Int?
    var time: FeedTime?
    /// The offset of the zone in minutes.
    var offset = 0

    /// The date; nil if the day or the time does not exist.
    func date() -> Date? {
      guard var year, let month, (1...12).contains(month) else { return nil }
      if year < 100 { year += year < 50 ? 2000 : 1900 }
      let day = day ?? 1
      let start = String(format: "%04d-%02d-%02dT00:00:00Z", year, month, day)
      guard let start = DateFormat.iso8601.date(start) else { return nil }
      return start + (time?.seconds ?? 0) - Double(offset * 60)
    }
  }
}

/// The time of day in a date.
struct FeedTime {
  /// The seconds since the beginning of the day. A leap second is the first second
  /// of the next minute.
  let seconds: Double

  /// - Parameter isAfternoon: Nil for a clock of 24 hours.
  init?(_ hour: Int, _ minute: Int, _ second: Int, isAfternoon: Bool? = nil) {
    var hour = hour
    if let isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    guard (0...23).contains(hour) || (hour, minute, second) == (24, 0, 0),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    seconds = Double(hour * 3_600 + minute * 60 + second)
  }
}

extension FeedDate.Parts {
  /// Reads a date that begins with a year of four digits.
  init?(iso text: String) {
    let pattern =
      /(\d{4})(?:[-\/.]?(\d{4}|\d{1,3})(?:[-\/.](\d{1,2}))?)?(?:(?:\s*[Tt]\s*|\s+)(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(.*))?/
    guard let match = text.wholeMatch(of: pattern), let year = Int(match.1) else { return nil }
    self.init(year: year, month: 1)
    if let digits = match.2, let number = Int(digits) {
      switch (digits.count, match.3.flatMap { Int($0) }) {
      case (1...2, let day): (month, self.day) = (number, day ?? 1)
      case (3, nil): (month, day) = Self.day(number, of: year)
      case (4, nil): (month, day) = (number / 100, number % 100)
      default: return nil
      }
    }
    guard let hour = match.4.flatMap({ Int($0) }), let minute = match.5.flatMap({ Int($0) }) else {
      return
    }
    let second = match.6.flatMap { Int($0) } ?? 0
    guard let time = FeedTime(hour, minute, second), let offset = FeedZone.offset(match.7 ?? "")
    else { return nil }
    (self.time, self.offset) = (time, offset)
  }

  /// The month and the day of a day in a year, from 1.
  private static func day(_ number: Int, of year: Int) -> (Int, Int) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    var rest = number
    for (month, count) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      .enumerated()
    {
      if rest <= count { return (month + 1, rest) }
      rest -= count
    }
    return (13, 1)
  }

  /// Reads a date with words, in any order.
  init?(words text: String) {
    self.init()
    // `12:30PM` and `20:15:00+0100` are two words.
    let text = text.replacing(/(\d)([A-Za-z])/) { "\($0.1) \($0.2)" }
      .replacing(/(:\d\d)([+-]\d)/) { "\($0.1) \($0.2)" }
    var zone = ""
    var isAfternoon: Bool?
    var clock: [Int]?
    for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
      let name = word.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "."))
      if let afternoon = Self.halves[name] {
        isAfternoon = afternoon
      } else if let match = word.wholeMatch(of: /(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?/) {
        guard clock == nil, let hour = Int(match.1), let minute = Int(match.2) else { return nil }
        clock = [hour, minute, match.3.flatMap { Int($0) } ?? 0]
      } else if !readDay(String(word), name), !Self.ignored.contains(name) {
        zone += word
      }
    }
    guard let offset = FeedZone.offset(zone), year != nil, month != nil, day != nil else {
      return nil
    }
    self.offset = offset
    guard let clock else { return }
    guard let time = FeedTime(clock[0], clock[1], clock[2], isAfternoon: isAfternoon) else {
      return nil
    }
    self.time = time
  }

  private static let halves = ["am": false, "a.m": false, "pm": true, "p.m": true]
  private static let ignored: Set = [
    "at", "of", "st", "nd", "rd", "th", "mon", "monday", "tue", "tues", "tuesday", "wed", "weds",
    "wednesday", "thu", "thur", "thurs", "thursday", "fri", "friday", "sat", "saturday", "sun",
    "sunday",
  ]
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Reads a word that is a part of the day.
  ///
  /// - Returns: False for other words.
  private mutating func readDay(_ word: String, _ name: String) -> Bool {
    if let match = word.wholeMatch(of: /(\d{1,4})[-\/.]([A-Za-z]{3,9}|\d{1,2})[-\/.](\d{1,4})/) {
      return readDay([match.1, match.2, match.3].map { String($0).lowercased() })
    }
    if name.count >= 3, name.count <= 9, month == nil,
      let index = Self.months.firstIndex(of: String(name.prefix(3))), name.allSatisfy(\.isLetter),
      !["mond", "mars"].contains(name)
    {
      month = index + 1
      return true
    }
    guard let number = Int(word), word.allSatisfy(\.isNumber) else { return false }
    if word.count == 4, year == nil {
      year = number
    } else if word.count <= 2, day == nil {
      day = number
    } else if word.count == 2, year == nil {
      year = number
    } else {
      return false
    }
    return true
  }

  private mutating func readDay(_ parts: [String]) -> Bool {
    let numbers = parts.map { Int($0) }
    if let month = Self.months.firstIndex(of: String(parts[1].prefix(3))) {
      (day, self.month, year) = (numbers[0], month + 1, numbers[2])
    } else if parts[0].count == 4 {
      (year, month, day) = (numbers[0], numbers[1], numbers[2])
    } else {
      (month, day, year) = (numbers[0], numbers[1], numbers[2])
    }
    return true
  }
}

/// The zones of dates in feeds.
enum FeedZone {
  /// The offsets of zones in minutes.
  private static let zones = [
    "": 0, "UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 60, "BST": 60, "IST": 330,
    "CET": 60, "CEST": 120, "MET": 60, "MEST": 120, "EET": 120, "EEST": 180, "MSK": 180,
    "MSD": 240, "HKT": 480, "SGT": 480, "AWST": 480, "JST": 540, "KST": 540, "ACST": 570,
    "ACDT": 630, "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780, "NST": -210, "NDT": -150,
    "AST": -240, "ADT": -180, "EST": -300, "EDT": -240, "ET": -300, "CST": -360, "CDT": -300,
    "CT": -360, "MST": -420, "MDT": -360, "MT": -420, "PST": -480, "PDT": -420, "PT": -480,
    "AKST": -540, "AKDT": -480, "HST": -600, "BRT": -180, "ART": -180,
  ]

  /// The offset of a zone in minutes; nil for unknown names. The single letters
  /// of RFC 822 are UTC, as RFC 2822 demands.
  static func offset(_ zone: some StringProtocol) -> Int? {
    let name = zone.trimmingCharacters(in: .whitespaces)
    if name.contains("/") { return TimeZone(identifier: name).map { $0.secondsFromGMT() / 60 } }
    let zone = name.uppercased().replacing(/^(?:GMT|UTC|UT)?\s*([+-])/) { "\($0.1)" }
    guard let sign = zone.first, sign == "+" || sign == "-" else {
      return zones[zone] ?? (zone.count == 1 && zone.first?.isLetter == true ? 0 : nil)
    }
    let digits = zone.dropFirst().filter { $0 != ":" }
    guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isNumber),
      let number = Int(digits)
    else { return nil }
    let (hours, minutes) = digits.utf8.count <= 2 ? (number, 0) : (number / 100, number % 100)
    guard hours < 24, minutes < 60 else { return nil }
    return (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
  }
}
