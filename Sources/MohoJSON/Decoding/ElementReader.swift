import MohoMapping

/// Reads the models of the elements of one array, or of a document's root.
struct ElementReader<Model> {
  let adapter: JSONAdapter<Model>
  let place: ElementPlace
  let fields: ObjectReader

  /// The model of an element.
  ///
  /// - Throws: ``MappingError`` with the element's place.
  func model(_ element: JSONNode, index: Int?) throws -> Model {
    var place = place
    place.index = index
    var object = element
    if let envelope = adapter.envelopePath, case .value(let node) = envelope.find(0, from: element),
      node.kind == .object
    {
      object = node
    } else if adapter.envelope != nil || element.kind != .object {
      object = try ValueReader(model: adapter.mapping.name)
        .value(at: adapter.envelope, in: element, from: place.element, kind: .object)
    }
    fields.move(to: object, at: place)
    return try adapter.mapping.model(from: fields)
  }
}
