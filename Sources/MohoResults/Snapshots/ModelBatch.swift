import MohoMapping

/// Models that were read together. They are kept as an object, so that whatever
/// keeps them need not know their type.
final class ModelBatch<Model: MappedModel>: Sendable {
  let models: [Model]

  init(_ models: [Model]) { self.models = models }
}

/// One of the models that were read together.
struct KeptModel: Sendable {
  let batch: any AnyObject & Sendable
  let offset: Int

  /// The model, or nil where it is of another type.
  func model<Model>(as type: Model.Type) -> Model? where Model: MappedModel {
    (batch as? ModelBatch<Model>)?.models[offset]
  }
}
