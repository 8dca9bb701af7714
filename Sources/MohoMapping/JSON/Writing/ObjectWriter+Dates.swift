package import Foundation

extension ObjectWriter {
  package func encode(_ value: Date, _ format: DateFormat, at index: Int) throws {
    switch format {
    case .iso8601: try encodeISO8601(value, at: index)
    case .iso8601Date: try encode(value, as: ISO8601.dayText(value), at: index)
    case .pattern(let pattern): try encode(value, as: pattern.text(value), at: index)
    case .oneOf(let formats):
      // Never empty: the declaration would be invalid.
      if let format = formats.first { try encode(value, format, at: index) }
    case .epochSeconds:
      try encode(seconds: value.timeIntervalSince1970, of: value, at: index)
    case .epochMilliseconds:
      try encode(seconds: value.millisecondsSince1970, of: value, at: index)
    }
  }

  private func encodeISO8601(_ date: Date, at index: Int) throws {
    guard label(index) else { return }
    if layout.pointee.text.append(iso8601: date) { return }
    try writeValue { try refuse(date, at: index) }
  }

  private func encode(_ date: Date, as text: String?, at index: Int) throws {
    guard let text else { return try refuse(date, at: index) }
    encode(text, at: index)
  }

  private func refuse(_ date: Date, at index: Int) throws {
    try refuse(
      index, "date \(date.timeIntervalSinceReferenceDate) seconds from 2001",
      expected: "date in the years 0 to 9999")
  }

  private func encode(seconds: Double, of date: Date, at index: Int) throws {
    guard seconds.isFinite else {
      return try refuse(
        index, "date \(date.timeIntervalSinceReferenceDate)", expected: "finite date")
    }
    if label(index) { append(seconds) }
  }
}
