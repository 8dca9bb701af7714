import Foundation

extension ValueForm {
  /// The form as text. It is the text of a form without parts, or JSON.
  package var text: String {
    if let name { return name }
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    let data = try? JSONSerialization.data(withJSONObject: object, options: options)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "any"
  }

  private var name: String? {
    switch self {
    case .plain(let name): name
    case .integer(let range): "integer \(range.lowerBound)...\(range.upperBound)"
    default: nil
    }
  }

  private var object: Any {
    switch self {
    case .plain, .integer: name ?? "any"
    case .one(let texts): ["one": texts.sorted()]
    case .anyOf(let forms): ["anyOf": forms.map(\.object)]
    case .optional(let form): ["optional": form.object]
    case .array(let form): ["array": form.object]
    case .dictionary(let form): ["dictionary": form.object]
    case .model(let members, let receivesUnknown):
      [receivesUnknown ? "open model" : "model": members.mapValues(\.form.object)]
    case .cluster(let variants): ["cluster": variants.mapValues(\.object)]
    }
  }

  /// Parses a form. Text that is not a form is an unknown form, which no other one reads.
  package init(text: String) {
    guard text.hasPrefix("{") else {
      self.init(name: text)
      return
    }
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    self = object.map { Self.form($0, inside: 0) } ?? .plain(text)
  }

  private init(name: String) {
    let range = name.split(separator: " ").last?.components(separatedBy: "...") ?? []
    if name.hasPrefix("integer "), range.count == 2, let least = Int64(range[0]),
      let greatest = Int64(range[1]), least <= greatest
    {
      self = .integer(least...greatest)
    } else {
      self = .plain(name)
    }
  }

  private static func form(_ object: Any, inside depth: Int) -> ValueForm {
    if let name = object as? String { return ValueForm(name: name) }
    guard depth < 2 * NestingDepth.limit, let (kind, value) = (object as? [String: Any])?.first
    else { return .plain("unknown") }
    func form(_ object: Any) -> ValueForm { Self.form(object, inside: depth + 1) }
    let parts = value as? [String: Any] ?? [:]
    return switch kind {
    case "one": .one(value as? [String] ?? [])
    case "anyOf": .anyOf((value as? [Any] ?? []).map(form))
    case "optional": .optional(form(value))
    case "array": .array(form(value))
    case "dictionary": .dictionary(form(value))
    case "model", "open model":
      .model(parts.mapValues { Member(form: form($0)) }, receivesUnknown: kind == "open model")
    case "cluster": .cluster(parts.mapValues(form))
    default: .plain("unknown")
    }
  }
}
