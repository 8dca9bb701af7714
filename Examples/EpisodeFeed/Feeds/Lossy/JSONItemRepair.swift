import Foundation
import Moho

/// Removes invalid values from an item of JSON, or replaces those whose form has
/// a known meaning: dates, durations and seasons as feeds write them, and
/// addresses with spaces around them.
struct JSONItemRepair {
  private var item: JSONValue
  private let adapter: JSONAdapter<Episode>
  /// The values that were replaced. They are not replaced twice.
  private var replaced: Set<FieldPath> = []

  /// - Parameter prefix: The path of the item in the document.
  static func item(
    _ item: JSONValue, with adapter: JSONAdapter<Episode>, at prefix: FieldPath,
    failing error: MappingError
  ) throws -> LossyItem {
    var repair = JSONItemRepair(item: item, adapter: adapter)
    var first: MappingError? = error
    return try LossyItem {
      // The first error has the positions of the document.
      if let error = first { throw error }
      return try adapter.model(from: repair.item.data())
    } leaveOut: { error in
      let count = first == nil ? 0 : prefix.components.count
      defer { first = nil }
      return repair.leaveOut(error, dropping: count)
    }
  }

  private mutating func leaveOut(_ error: MappingError, dropping count: Int) -> SkippedValue? {
    guard error.code != .missingValue, let path = error.path, path.components.count > count else {
      return nil
    }
    let relative = FieldPath(Array(path.components.dropFirst(count)))
    guard let value = item.value(at: relative.components[...]) else { return nil }
    let text = value.text
    if let text, !replaced.contains(relative), let meaning = Self.meaning(of: text, error.key) {
      replaced.insert(relative)
      item.replace(at: relative.components[...], with: meaning)
      return .understood
    }
    item.replace(at: relative.components[...], with: nil)
    return value.kind == .null || text?.allSatisfy(\.isWhitespace) == true ? .understood : .skipped
  }

  /// The valid form of a text.
  private static func meaning(of text: String, _ key: String?) -> JSONValue? {
    switch key {
    case "publishedAt": FeedDate.date(text).map { .string($0.ISO8601Format()) }
    case "duration": ClockDuration.seconds(text).map { .number($0) }
    case "season": SeasonNumber.number(text).map { .integer(Int64($0)) }
    case "url", "imageURL", "audioURL":
      text.allSatisfy(\.isWhitespace)
        ? nil
        : URL(string: text.trimmingCharacters(in: .whitespacesAndNewlines))
          .map { .string($0.absoluteString) }
    default: nil
    }
  }
}

extension JSONValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate func value(at path: ArraySlice<FieldPath.Component>) -> JSONValue? {
    switch path.first {
    case nil: self
    case .key(let key)?: self[key]?.value(at: path.dropFirst())
    case .index(let index)?: self[index]?.value(at: path.dropFirst())
    case .each?: nil
    }
  }

  /// Replaces a value; nil removes it.
  fileprivate mutating func replace(
    at path: ArraySlice<FieldPath.Component>, with value: JSONValue?
  ) {
    switch (self, path.first) {
    case (.object, .key(let key)?):
      guard var child = self[key] else { return }
      child.replace(at: path.dropFirst(), with: value)
      self[key] = path.count == 1 ? value : child
    case (.array(var elements), .index(let index)?) where elements.indices.contains(index):
      if path.count == 1 {
        elements[index] = value ?? .null
      } else {
        elements[index].replace(at: path.dropFirst(), with: value)
      }
      self = .array(elements)
    default: break
    }
  }
}
