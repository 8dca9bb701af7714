import Foundation
import MohoMapping

/// The order of the values of an ordering.
struct ValueOrder: Sendable {
  private let isDescending: Bool
  private let nils: Ordering.NilPosition
  private let options: TextMatch.Options
  private let collator: TextCollator?
  private let transformsText: Bool

  init(isDescending: Bool, nils: Ordering.NilPosition) {
    (self.isDescending, self.nils, options) = (isDescending, nils, [])
    (collator, transformsText) = (nil, false)
  }

  init(_ ordering: Ordering) {
    isDescending = ordering.direction == .descending
    nils = ordering.nils
    options = ordering.options
    collator = ordering.collation.map(TextCollator.collator)
    transformsText = ordering.transformsText
  }

  /// Returns the form of a value that ``order(_:_:)`` compares.
  func sortValue(of value: FieldContent) -> FieldContent {
    guard transformsText, case .string(let text) = value else { return value }
    return collator?.sortContent(of: text, options) ?? .data(Data(text.sortBytes(options)))
  }

  /// Compares two sort values: negative if the first one precedes the second one, 0 if both
  /// are equal, positive otherwise.
  func order(_ one: FieldContent, _ other: FieldContent) -> Int {
    switch (one.isNull, other.isNull) {
    case (true, true): return 0
    case (true, false): return nils == .first ? -1 : 1
    case (false, true): return nils == .first ? 1 : -1
    case (false, false):
      let order: Int
      if collator != nil, case (.string(let one), .string(let other)) = (one, other) {
        order = TextCollator.order(one, other)
      } else {
        order = one.order(other) ?? 0
      }
      return isDescending ? -order : order
    }
  }
}
