import Foundation
import MohoMapping

/// Writes the fields of one object, and is used for object after object. The
/// fields must come in the order of the plan; what is left out leaves no trace.
final class ObjectWriter: FieldEncoder {
  let plan: OutputPlan
  var layout: LayoutWriter

  private let keys: [MappingKey]
  private let nulls: NullPolicy
  private let envelope: FieldPath?
  private var index: Int?

  /// - Parameter depth: How deep in the document the objects lie.
  init(
    plan: OutputPlan, keys: [MappingKey], nulls: NullPolicy, envelope: FieldPath?,
    isPretty: Bool, depth: Int
  ) {
    self.plan = plan
    self.keys = keys
    self.nulls = nulls
    self.envelope = envelope
    layout = LayoutWriter(plan: plan, isPretty: isPretty, depth: depth)
  }

  /// Begins the object at an index of an array, or the only one.
  func begin(index: Int?) {
    self.index = index
    layout.begin(plan)
  }

  /// Ends the object.
  func end() { layout.end(plan) }

  func encodeNull(at index: Int) {
    guard nulls == .null || keys[index].hasDefault, layout.label(index, plan) else { return }
    layout.text.append(literal: "null")
  }

  func encode(_ value: Bool, at index: Int) {
    if layout.label(index, plan) { layout.text.append(literal: value ? "true" : "false") }
  }

  func encode(_ value: Int64, at index: Int) {
    if layout.label(index, plan) { layout.text.append(value) }
  }

  func encode(_ value: UInt64, at index: Int) {
    if layout.label(index, plan) { layout.text.append(value) }
  }

  func encode(_ value: Double, at index: Int) throws {
    if !value.isFinite { try refuse(index, "number \(value)", expected: "finite number") }
    if layout.label(index, plan) { layout.text.append(value) }
  }

  func encode(_ value: Decimal, at index: Int) throws {
    if !value.isFinite { try refuse(index, "number \(value)", expected: "finite number") }
    if layout.label(index, plan) { layout.text.append(raw: value.description) }
  }

  func encode(_ value: String, at index: Int) {
    if layout.label(index, plan) { layout.text.append(string: value) }
  }

  func encode(_ value: Data, at index: Int) {
    guard layout.label(index, plan) else { return }
    layout.text.append("\"")
    layout.text.append(raw: value.base64EncodedString())
    layout.text.append("\"")
  }

  func encode(_ value: Date, _ format: DateFormat, at index: Int) throws {
    switch format {
    case .iso8601: try encodeISO8601(value, at: index)
    case .epochSeconds:
      try encode(seconds: value.timeIntervalSince1970, of: value, at: index)
    case .epochMilliseconds:
      let milliseconds = value.timeIntervalSince1970 * 1000
      // A whole number unless the date is finer: the product is not exact.
      let whole = milliseconds.rounded()
      let isWhole = Date(timeIntervalSince1970: whole / 1000) == value
      try encode(seconds: isWhole ? whole : milliseconds, of: value, at: index)
    }
  }

  private func encodeISO8601(_ date: Date, at index: Int) throws {
    guard layout.label(index, plan) else { return }
    guard layout.text.append(iso8601: date) else {
      return try refuse(
        index, "date \(date.timeIntervalSinceReferenceDate) seconds from 2001",
        expected: "date in the years 0 to 9999")
    }
  }

  private func encode(seconds: Double, of date: Date, at index: Int) throws {
    guard seconds.isFinite else {
      return try refuse(
        index, "date \(date.timeIntervalSinceReferenceDate)", expected: "finite date")
    }
    if layout.label(index, plan) { layout.text.append(seconds) }
  }

  /// Throws about a value that has no JSON, unless it is not written anyway.
  private func refuse(_ index: Int, _ found: String, expected: String) throws {
    guard let source = keys[index].source else { return }
    let place = ElementPlace(index: self.index, envelope: envelope)
    throw MappingError(
      .invalidValue, path: place.path.appending(source), found: found, expected: expected)
  }
}
