/// A value type that declares once how its properties are mapped.
///
/// The declaration defines the JSON form of the type, its table and rows, and
/// its live results. A model can also be the value of a key of another model,
/// alone or in an array, a set or a dictionary. Up to 128 models can be nested,
/// not counting inlined models. Reading or writing more levels throws a
/// ``MappingError`` with code ``MappingError/Code/tooDeep``.
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
  /// The declaration of the keys. Use a `static let`, so that it is created and
  /// checked once per process.
  static var mapping: Mapping<Self> { get }
}
