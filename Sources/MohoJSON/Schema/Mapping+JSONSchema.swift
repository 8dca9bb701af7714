import Foundation
public import MohoMapping

extension Mapping {
  /// The JSON Schema of the model's documents, of draft 2020-12.
  ///
  /// ```swift
  /// let text = try Episode.mapping.jsonSchema.data(formatting: .pretty)
  /// ```
  ///
  /// Every document that an adapter of the mapping encodes is valid, whatever its
  /// `NullPolicy`. A document that lacks a required key is not.
  ///
  /// - Keys are members of `properties`, in declaration order. A path such as
  ///   `thumbnail.url` is a nested object. A key is required unless it is
  ///   optional or has a default, and accepts null if it is optional.
  /// - Nested models are references into `$defs`. The members of inlined models
  ///   are those of the object. A cluster is `oneOf` its variants, which the
  ///   value of the discriminator distinguishes. If conditions choose the
  ///   variant, it is `anyOf` them.
  /// - A key with alternative paths is valid at the first path with a value.
  /// - Unknown members are valid. If a key receives them, their form is that of
  ///   its values.
  /// - Validations, and the forms that only functions know, are not part of the
  ///   schema: the value of such a transform is any value, with a `$comment`,
  ///   unless the transform declares its `schema:`.
  ///
  /// The schema of a mapping with `Mapping.issues` refuses all documents.
  public var jsonSchema: JSONValue {
    var schema: JSONValue = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
    schema["title"] = .string(name)
    guard issues.isEmpty else {
      let issues = issues.map(\.description).joined(separator: "; ")
      schema["$comment"] = .string("invalid mapping: \(issues)")
      schema["not"] = [:]
      return schema
    }
    var writer = JSONSchemaWriter(root: objectSchema)
    for member in writer.rootMembers() { schema[member.key] = member.value }
    let definitions = writer.definitions()
    if !definitions.isEmpty { schema["$defs"] = .object(definitions) }
    return schema
  }
}
