import Foundation

extension FieldContent {
  /// Contents of a kind that documents commonly hold, to find values of a key whose
  /// type or transform has no samples: what the key reads of one is a value of it.
  static func common(of type: FieldType, at position: Int) -> [FieldContent] {
    let number = position + 1
    switch type {
    case .null, .object, .reference: return []
    case .boolean: return [.bool(position % 2 == 1)]
    case .integer: return [.int64(Int64(number))]
    case .double: return [.double(Double(number))]
    case .decimal: return [.decimal(Decimal(number))]
    case .date: return [.date(Date(timeIntervalSinceReferenceDate: Double(number)))]
    case .data: return [.data(Data("\(number)".utf8))]
    case .string: return commonTexts(number).map { .string($0) }
    case .array: return commonElements(at: position).map { .array([$0]) }
    case .dictionary: return commonElements(at: position).map { .dictionary(["sample": $0]) }
    }
  }

  private static func commonElements(at position: Int) -> [FieldContent] {
    let types: [FieldType] = [.boolean, .integer, .double, .decimal, .date, .data, .string]
    return types.flatMap { common(of: $0, at: position) }
  }

  private static func commonTexts(_ number: Int) -> [String] {
    let digits = String(repeating: "0", count: max(0, 6 - "\(number)".count)) + "\(number)"
    return [
      "sample \(number)", "\(number)", "sample\(number)", "sample\(number)@example.com",
      "https://example.com/\(number)", "\(number).5", "#\(digits)",
      "00000000-0000-0000-0000-000000\(digits)",
      "20\(digits.suffix(2))-01-01", "20\(digits.suffix(2))-01-01T00:00:00Z",
      "00:\(digits.suffix(2))", "00:00:\(digits.suffix(2))", "1.\(number).0",
      "+1555\(digits)", "[\(number)]", "{}", "true",
      "a", "A", "en", "",
    ]
  }
}
