import MohoMapping
import MohoTesting

/// A model with one key that has a transform.
struct Form<Value: Sendable>: Sendable {
  var value: Value

  static func mapping(_ transform: Transform<Value>) -> Mapping<Form> {
    Mapping("Form", { Form(value: $0) }, .key("value", \.value, transform))
  }
}

extension Transform {
  /// Reads a value from a content. Nil means that the key is absent.
  func read(_ content: FieldContent?) throws -> Value {
    try Form.mapping(self).model(from: ContentDecoder([content])).value
  }

  /// Returns what is written for a value.
  func written(_ value: Value) throws -> FieldContent? {
    let recorder = FieldRecorder()
    try Form.mapping(self).encode(Form(value: value), to: recorder)
    return recorder.contents.first
  }

  /// Returns the errors of reading a content, or an empty string.
  func refusal(_ content: FieldContent?) -> String {
    do {
      return "read as \(try read(content))"
    } catch {
      return "\(error)"
    }
  }

  /// Returns the error of writing a value.
  func refusal(writing value: Value) -> String {
    do {
      return "written as \(try written(value).map(\.description) ?? "nothing")"
    } catch {
      return "\(error)"
    }
  }

  /// The issues of a mapping that uses the transform.
  var issues: [String] { Form.mapping(self).issues.map(\.description) }
}
