import MohoMapping

/// Finds the objects of the models in the elements of one array, or in a
/// document's root, for the reader of their fields.
struct ElementReader {
  let fields: ObjectReader

  private let model: String
  private let envelope: PathTable?

  /// - Parameter prefix: The way to the array.
  init<Model>(_ adapter: JSONAdapter<Model>, prefix: FieldPath = FieldPath([])) {
    model = adapter.mapping.name
    envelope = adapter.envelopePath
    fields = ObjectReader(
      adapter.mapping.mappingKeys, paths: adapter.paths,
      place: ElementPlace(prefix: prefix, envelope: adapter.envelope),
      check: UnknownKeyCheck(adapter.unknownKeys))
  }

  /// The unknown keys that were found and are to be reported.
  func takeReports() -> [MappingError] { fields.check?.take() ?? [] }

  /// Moves the reader of fields to an element's object.
  ///
  /// - Throws: `MappingError` with the element's place, if there is none.
  func move(to element: JSONNode, index: Int?, in source: SourceText?) throws {
    if envelope == nil, element.kind == .object {
      return fields.move(to: element, index: index, in: source)
    }
    if let envelope, case .value(let object) = envelope.find(0, from: element),
      object.kind == .object
    {
      return fields.move(to: object, index: index, in: source)
    }
    fields.move(to: element, index: index, in: source)
    let object = try ValueReader(model: model).value(
      at: fields.place.envelope, in: element, from: fields.place.element, kind: .object)
    fields.move(to: object, index: index, in: source)
  }
}
