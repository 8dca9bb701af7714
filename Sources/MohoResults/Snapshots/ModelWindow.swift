import MohoMapping
import Synchronization

/// The models that were read last, for as many rows as fit.
///
/// A model is kept with the fingerprint of its row, so that each snapshot gets
/// the model that its row held, and no other.
final class ModelWindow<Model: MappedModel>: Sendable {
  struct Key: Hashable, Sendable {
    let rowID: Int64
    let fingerprint: [UInt64]
  }

  private struct State {
    var models: [Key: Model] = [:]
    var order: [Key] = []
  }

  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int) { self.capacity = capacity }

  subscript(key: Key) -> Model? { state.withLock { $0.models[key] } }

  func insert(_ models: [Key: Model]) {
    state.withLock { state in
      for (key, model) in models where state.models.updateValue(model, forKey: key) == nil {
        state.order.append(key)
      }
      let surplus = state.order.count - capacity
      guard surplus > 0 else { return }
      for key in state.order.prefix(surplus) { state.models[key] = nil }
      state.order.removeFirst(surplus)
    }
  }
}
