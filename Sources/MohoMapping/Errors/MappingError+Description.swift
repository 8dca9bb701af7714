public import Foundation

extension MappingError: CustomStringConvertible {
  /// The message: `<what>: <found>, expected <expected> - <where>`, with one
  /// line for each of several errors.
  public var description: String {
    errors.count == 1 ? message : errors.map(\.message).joined(separator: "\n")
  }

  private var message: String { text.escapedForMessages }

  private var text: String {
    switch code {
    case .missingValue: "missing value for \(subject)\(location)\(proposal)"
    case .invalidDeclaration: "invalid mapping: `\(model ?? "")` - \(found ?? "")"
    case .unknownKey: "\(code.name): \(finding) - \(subject)\(location)\(proposal)"
    default: "\(code.name): \(finding)\(expectation) - \(subject)\(location)\(reason)"
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
  private var proposal: String { suggestion.map { "; did you mean `\($0)`?" } ?? "" }
  private var reason: String { underlying.map { ": \($0)" } ?? "" }
}

extension MappingError: LocalizedError {
  /// The description. It is not localized.
  public var errorDescription: String? { description }
}
