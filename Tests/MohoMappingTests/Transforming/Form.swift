import MohoMapping
import MohoTesting

/// A model of one key, which has a transform.
struct Form<Value: Sendable>: Sendable {
  var value: Value

  static func mapping(_ transform: Transform<Value>) -> Mapping<Form> {
    Mapping("Form", { Form(value: $0) }, .key("value", \.value, transform))
  }
}

extension Transform {
  /// The value that is read of a content; nil stands for absence.
  func read(_ content: FieldContent?) throws -> Value {
    try Form.mapping(self).model(from: ContentDecoder([content])).value
  }

  /// The content that a value is written as.
  func written(_ value: Value) throws -> FieldContent? {
    let recorder = FieldRecorder()
    try Form.mapping(self).encode(Form(value: value), to: recorder)
    return recorder.contents.first
  }

  /// Why a content is refused, a line for each error; empty where it is not.
  func refusal(_ content: FieldContent?) -> String {
    do {
      return "read as \(try read(content))"
    } catch {
      return "\(error)"
    }
  }

  /// Why a value is not written.
  func refusal(writing value: Value) -> String {
    do {
      return "written as \(try written(value).map(\.description) ?? "nothing")"
    } catch {
      return "\(error)"
    }
  }

  /// The declaration issues of a mapping that uses the transform.
  var issues: [String] { Form.mapping(self).issues.map(\.description) }
}
