public import Foundation

extension MappingError: CustomStringConvertible {
  /// The message: `<what>: <found>, expected <expected> - <where>`, with one
  /// line for each of several errors.
  ///
  /// More than three errors that differ only in array indexes are one line: the
  /// first of them, followed by the number and the common path of the others.
  /// ``errors`` contains all of them.
  public var description: String {
    errors.count == 1 ? message : lines.joined(separator: "\n")
  }

  private var lines: [String] {
    let keys = errors.map(FoldingKey.init)
    let counts = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
    var folded: Set<FoldingKey> = []
    return zip(errors, keys).compactMap { error, key in
      guard let count = counts[key], count > FoldingKey.limit else { return error.message }
      guard folded.insert(key).inserted else { return nil }
      return "\(error.message); \(count - 1) more at `\(key.pointer)`".escapedForMessages
    }
  }

  private var message: String {
    (text + (advice.map { "; \($0)" } ?? "")).escapedForMessages
  }

  private var text: String {
    switch code {
    case .missingValue: "missing value for \(subject)\(location)\(place)\(proposal)"
    case .invalidDeclaration: "invalid mapping: `\(model ?? "")` - \(found ?? "")"
    case .unknownKey: "\(code.name): \(finding) - \(subject)\(location)\(proposal)"
    default: "\(code.name): \(finding)\(expectation) - \(subject)\(location)\(place)\(reason)"
    }
  }

  private var subject: String {
    switch (model, key) {
    case (let model?, let key?): "`\(model).\(key)`"
    case (let name?, nil), (nil, let name?): "`\(name)`"
    case (nil, nil): "value"
    }
  }

  private var finding: String { found ?? "nothing" }
  private var expectation: String { expected.map { ", expected \($0)" } ?? "" }
  private var location: String {
    guard let path else { return "" }
    let pointers = ([path] + alternatives).map { $0.components.isEmpty ? "/" : $0.pointer }
    let others = pointers.dropLast().joined(separator: ", ")
    let location = others.isEmpty ? "" : "\(others) or "
    return " at \(location)\(pointers.last ?? "")\(position.map { ", \($0)" } ?? "")"
  }
  // The path of a value in a row begins with the row.
  private var place: String { path == nil ? row.map { ", row \($0)" } ?? "" : "" }
  private var proposal: String { suggestion.map { "; did you mean `\($0)`?" } ?? "" }
  private var reason: String { underlying.map { ": \($0)" } ?? "" }
}

/// What errors have in common that differ only in array indexes and positions.
private struct FoldingKey: Hashable {
  /// The maximum number of such errors that have a line each.
  static let limit = 3

  /// The path with `*` for each array index.
  let pointer: String
  private let model: String?
  private let message: String

  init(_ error: MappingError) {
    let path = error.path?.components.map { component in
      if case .index = component { FieldPath.Component.each } else { component }
    }
    pointer = FieldPath(path ?? []).pointer
    model = error.model
    var other = error
    other.path = path.map { FieldPath($0) }
    other.position = nil
    other.alternatives = []
    message = other.description
  }
}

extension MappingError: LocalizedError {
  /// The description. It is not localized.
  public var errorDescription: String? { description }
}
