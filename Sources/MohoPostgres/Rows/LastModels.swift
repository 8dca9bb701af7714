import MohoMapping
import MohoRows

/// The last of the models that share a row, with their positions.
struct LastModels<Model: MappedModel> {
  private var last: [UniqueKey: (model: Model, index: Int)] = [:]

  init(
    of models: some Sequence<Model>, _ connection: PostgresConnection, _ schema: Schema
  ) throws {
    let writer = try ModelWriter<Model>(connection, schema)
    var known: Set<UniqueKey> = []
    for (index, model) in models.enumerated() {
      // An error is reported when the model is saved.
      if let key = try? writer.key(of: model), !known.insert(key).inserted {
        last[key] = (model, index)
      }
    }
  }

  subscript(key: UniqueKey) -> (model: Model, index: Int)? { last[key] }
}
