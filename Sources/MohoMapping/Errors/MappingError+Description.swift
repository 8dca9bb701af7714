extension MappingError: CustomStringConvertible {
  /// The message: `<what>: <found>, expected <expected> - <where>`, a line for
  /// each error where there are several.
  public var description: String {
    errors.count == 1 ? message : errors.map(\.message).joined(separator: "\n")
  }

  private var message: String { text.escapedForMessages }

  private var text: String {
    switch code {
    case .missingValue: "missing value for \(subject)\(place)\(proposal)"
    case .invalidDeclaration: "invalid mapping: `\(model ?? "")` - \(found ?? "")"
    case .unknownKey: "\(code.name): \(finding) - \(subject)\(place)\(proposal)"
    default: "\(code.name): \(finding)\(expectation) - \(subject)\(place)\(reason)"
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
  private var place: String {
    guard let path else { return "" }
    let pointers = ([path] + alternatives).map { $0.components.isEmpty ? "/" : $0.pointer }
    let others = pointers.dropLast().joined(separator: ", ")
    let place = others.isEmpty ? "" : "\(others) or "
    return " at \(place)\(pointers.last ?? "")\(position.map { ", \($0)" } ?? "")"
  }
  private var proposal: String { suggestion.map { "; did you mean `\($0)`?" } ?? "" }
  private var reason: String { underlying.map { ": \($0)" } ?? "" }
}
