/// The form of the values of a column: what the transform of a key writes.
///
/// Stores record forms to find keys whose Swift type has changed although the type of the
/// column has not. The ``text`` of a form is stable: it does not depend on the names of
/// modules and properties, nor on the version of the compiler.
///
/// | form | text |
/// |---|---|
/// | numbers | `integer`, `integer 0...255`, `unsigned`, `double`, `float`, `decimal` |
/// | other flat values | `boolean`, `date`, `data`, `uuid`, `string` |
/// | strings of a format or a pattern | `string uri-reference`, `string /^a/` |
/// | dates in JSON | `date iso8601`, `date epochSeconds`, `date oneOf[iso8601,iso8601Date]` |
/// | JSON of any form | `any` |
/// | a `Codable` value | `codable Color` |
/// | a transform or type with its own functions | `custom string` |
/// | a string enum, a table | `{"one":["\"free\"","\"paid\""]}` |
/// | several forms | `{"anyOf":["integer","string"]}` |
/// | arrays, dictionaries | `{"array":"integer"}`, `{"dictionary":"string"}` |
/// | models | `{"model":{"id":"integer","title":{"optional":"string"}}}` |
/// | clusters | `{"cluster":{"rock":{"model":{}}}}` |
/// | a model that contains itself | `model ^1`, the number of models outwards |
package indirect enum ValueForm: Sendable, Hashable {
  /// A form without parts.
  case plain(String)
  case integer(ClosedRange<Int64>)
  case one([String])
  case anyOf([ValueForm])
  case optional(ValueForm)
  case array(ValueForm)
  case dictionary(ValueForm)
  case model([String: Member], receivesUnknown: Bool)
  case cluster([String: ValueForm])

  /// A key of a model in structured text.
  package struct Member: Sendable, Hashable {
    let form: ValueForm
    /// Whether the key can be absent. It is not part of the text.
    var isOmissible = false
    /// Other paths of the key. They are not part of the text.
    var alternatives: [String] = []
  }

  package static let string = ValueForm.plain("string")
  package static let any = ValueForm.plain("any")

  /// The form of an element of a transform with its own functions.
  package static func custom(_ type: FieldType) -> ValueForm { .plain("custom \(type.rawValue)") }
}

extension ValueForm {
  /// Whether values in another form can be read in this one, each as the same value.
  package func reads(_ old: ValueForm) -> Bool {
    if text == old.text { return true }
    switch (old, self) {
    case (_, .any): return true
    case (.anyOf(let forms), _): return forms.allSatisfy(reads)
    case (.optional(let old), .optional(let new)): return new.reads(old)
    case (_, .optional(let new)): return new.reads(old)
    case (_, .anyOf(let forms)): return forms.contains { $0.reads(old) }
    case (.integer(let old), .integer(let new)):
      return new.lowerBound <= old.lowerBound && old.upperBound <= new.upperBound
    case (.integer(let range), .plain(let name)):
      return name == "integer" || name == "decimal"
        || name == "unsigned" && range.lowerBound >= 0
        || name == "double" && range.lowerBound > -(1 << 53) && range.upperBound < 1 << 53
    case (.one(let old), .one(let new)): return Set(old).isSubset(of: new)
    case (.one(let texts), .plain(let name)):
      let areStrings = texts.allSatisfy { $0.hasPrefix("\"") }
      return areStrings
        ? name == "string" : name == "integer" && texts.allSatisfy { Int64($0) != nil }
    case (.plain(let old), .plain(let new)): return Self.isWidening(from: old, to: new)
    case (.array(let old), .array(let new)): return new.reads(old)
    case (.dictionary(let old), .dictionary(let new)): return new.reads(old)
    case (.model(let old, _), .model(let new, let receivesUnknown)):
      return Self.reads(old, in: new, receivesUnknown)
    case (.model(let old, let receivesUnknown), .dictionary(let new)):
      return !receivesUnknown && old.values.allSatisfy { new.reads($0.form) }
    case (.cluster(let old), .cluster(let new)):
      return old.allSatisfy { tag, form in new[tag]?.reads(form) ?? false }
    default: return false
    }
  }

  private static func isWidening(from old: String, to new: String) -> Bool {
    switch (old, new) {
    case ("float", "double"), ("integer", "decimal"), ("unsigned", "decimal"),
      ("unsigned", "integer"), ("double", "decimal"), ("float", "decimal"), ("uuid", "string"):
      true
    default:
      old.hasPrefix("string ") && new == "string"
        || old.hasPrefix("date ") && formats(of: old).isSubset(of: formats(of: new))
    }
  }

  /// The formats of dates. Those of other forms are empty.
  private static func formats(of name: String) -> Set<Substring> {
    let prefix = "date oneOf["
    guard name.hasPrefix(prefix) else {
      return name.hasPrefix("date ") ? [name.dropFirst("date ".count)] : []
    }
    return Set(name.dropFirst(prefix.count).dropLast().split(separator: ","))
  }

  /// Whether a model reads the members of an older one and loses none.
  private static func reads(
    _ old: [String: Member], in new: [String: Member], _ receivesUnknown: Bool
  ) -> Bool {
    let areRead = old.allSatisfy { path, member in
      let key = new[path] ?? new.values.first { $0.alternatives.contains(path) }
      return key.map { $0.form.reads(member.form) } ?? receivesUnknown
    }
    return areRead
      && new.allSatisfy { path, member in
        member.isOmissible || ([path] + member.alternatives).contains { old[$0] != nil }
      }
  }
}
