import Foundation
import MohoMapping

/// Takes the fields of one object as JSON text, and is used for object after
/// object. Where the fields go is decided when all are there.
final class ObjectWriter: FieldEncoder {
  /// A field's part of `text`, none where the field is left out.
  private(set) var fields: [Range<Int>?]
  private(set) var text = TextBuffer()

  private let keys: [MappingKey]
  private let nulls: NullPolicy
  private let envelope: FieldPath?
  private var index: Int?

  init(keys: [MappingKey], nulls: NullPolicy, envelope: FieldPath?) {
    self.keys = keys
    self.nulls = nulls
    self.envelope = envelope
    fields = Array(repeating: nil, count: keys.count)
  }

  /// Forgets the fields, to begin the element at an index of an array.
  func begin(index: Int?) {
    self.index = index
    text.removeAll()
    for position in fields.indices { fields[position] = nil }
  }

  func encodeNull(at index: Int) {
    guard nulls == .null || keys[index].hasDefault else { return }
    write(index) { $0.append(literal: "null") }
  }

  func encode(_ value: Bool, at index: Int) {
    write(index) { $0.append(literal: value ? "true" : "false") }
  }

  func encode(_ value: Int64, at index: Int) {
    write(index) { $0.append(value) }
  }

  func encode(_ value: UInt64, at index: Int) {
    write(index) { $0.append(value) }
  }

  func encode(_ value: Double, at index: Int) throws {
    try check(index, value.isFinite, found: "number \(value)", expected: "finite number")
    write(index) { $0.append(value) }
  }

  func encode(_ value: Decimal, at index: Int) throws {
    try check(index, value.isFinite, found: "number \(value)", expected: "finite number")
    write(index) { $0.append(raw: value.description.utf8) }
  }

  func encode(_ value: String, at index: Int) {
    write(index) { $0.append(string: value) }
  }

  func encode(_ value: Data, at index: Int) {
    write(index) { text in
      text.append("\"")
      text.append(raw: value.base64EncodedData())
      text.append("\"")
    }
  }

  func encode(_ value: Date, _ format: DateFormat, at index: Int) throws {
    let interval = value.timeIntervalSinceReferenceDate
    switch format {
    case .iso8601:
      let date = ISO8601.text(value)
      try check(
        index, date != nil, found: "date \(interval) seconds from 2001",
        expected: "date in the years 0 to 9999")
      write(index) { text in
        text.append("\"")
        text.append(raw: (date ?? "").utf8)
        text.append("\"")
      }
    case .epochSeconds:
      try check(index, interval.isFinite, found: "date \(interval)", expected: "finite date")
      write(index) { $0.append(value.timeIntervalSince1970) }
    case .epochMilliseconds:
      let milliseconds = value.timeIntervalSince1970 * 1000
      try check(index, milliseconds.isFinite, found: "date \(interval)", expected: "finite date")
      // A whole number unless the date is finer: the product is not exact.
      let whole = milliseconds.rounded()
      let isWhole = Date(timeIntervalSince1970: whole / 1000) == value
      write(index) { $0.append(isWhole ? whole : milliseconds) }
    }
  }

  private func write(_ index: Int, _ append: (inout TextBuffer) -> Void) {
    guard keys[index].source != nil else { return }
    let start = text.count
    append(&text)
    fields[index] = start..<text.count
  }

  private func check(
    _ index: Int, _ isRepresentable: Bool, found: @autoclosure () -> String, expected: String
  ) throws {
    guard !isRepresentable, let source = keys[index].source else { return }
    let place = ElementPlace(index: self.index, envelope: envelope)
    throw MappingError(
      .invalidValue, path: place.path.appending(source), found: found(), expected: expected)
  }
}
