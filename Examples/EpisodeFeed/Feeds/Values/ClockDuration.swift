import Foundation

/// Lengths of time as feeds write them.
enum ClockDuration {
  /// The seconds of a text such as `1:02:03`, `62:03`, `:30`, `3723.5`, `1,200`,
  /// `12 min`, `1h 2m` or `PT1H2M`; nil for other text.
  static func seconds(_ text: String) -> Double? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    guard text.utf8.count <= 40 else { return nil }
    if text.wholeMatch(of: /\d{1,3}(?:,\d{3})+/) != nil {
      return Double(text.replacing(",", with: ""))
    }
    return clock(text) ?? units(text)
  }

  private static func clock(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), parts.contains(where: { !$0.isEmpty }),
      parts.last?.first != "."
    else { return nil }
    var total = 0.0
    for (index, part) in parts.enumerated() {
      let characters = index == parts.count - 1 ? "0123456789." : "0123456789"
      guard part.utf8.count <= 12, part.allSatisfy(characters.contains),
        let number = part.isEmpty ? 0 : Double(part)
      else { return nil }
      total = total * 60 + number
    }
    return total
  }

  /// Numbers with units, in words or as in ISO 8601.
  private static func units(_ text: String) -> Double? {
    let form =
      /(?:p(?:(?<days>\d{1,4})d)?t?)?\s*(?:(?<hours>\d{1,6})\s*h(?:(?:ou)?rs?)?\.?)?[\s,]*(?:(?<minutes>\d{1,6})\s*m(?:in(?:ute)?s?)?\.?)?[\s,]*(?:(?<seconds>\d{1,6}(?:\.\d{1,9})?)\s*s(?:ec(?:ond)?s?)?\.?)?/
    guard let match = text.wholeMatch(of: form) else { return nil }
    let parts = [match.days, match.hours, match.minutes, match.seconds]
    guard parts.contains(where: { $0 != nil }) else { return nil }
    return zip(parts, [86_400, 3_600, 60, 1]).reduce(0) { total, part in
      total + (part.0.flatMap { Double($0) } ?? 0) * part.1
    }
  }
}

/// Numbers of seasons as feeds write them.
enum SeasonNumber {
  /// The number of a text such as `2`, `2.0`, `S02` or `Season 2`; nil for other
  /// text.
  static func number(_ text: String) -> Int? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    return text.wholeMatch(of: /(?:season\s*|s\s*)?(\d{1,9})(?:\.0+)?/).flatMap { Int($0.1) }
  }
}
