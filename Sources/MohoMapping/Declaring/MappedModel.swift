/// A value type that declares, once, how its properties are mapped.
///
/// From the one declaration come the JSON form, the table and its rows, and the
/// live results of the type. A model can also be the value of another model's
/// key, alone or in an array, a set or a dictionary: up to 128 models in each
/// other, those that are inlined not counted. More are a ``MappingError`` of code
/// ``MappingError/Code/tooDeep``, when they are read and when they are written.
///
/// ```swift
/// struct Episode: MappedModel, Equatable {
///   var id: Int
///   var title: String
///   var summary: String?
///
///   static let mapping = Mapping("Episode", Episode.init,
///     .key("id", \.id, .unique),
///     .key("title", \.title),
///     .key("summary", \.summary, json: "description"))
/// }
/// ```
public protocol MappedModel: FieldValue, RelatedValue where RelatedModel == Self {
  /// The declaration of this type's keys, a `static let` so that it is made
  /// and checked once per process.
  static var mapping: Mapping<Self> { get }
}
