/// Reads one property of a model in memory.
///
/// A stored property is read at its offset. Reading it through its key path
/// costs a copy of the whole model, 40 to 60 ns a field; key paths remain for
/// computed properties, which have no offset.
@usableFromInline
struct StoredProperty<Model, Value: Sendable>: Sendable {
  @usableFromInline let offset: Int?
  @usableFromInline let keyPath: any KeyPath<Model, Value> & Sendable

  @usableFromInline
  init(_ keyPath: any KeyPath<Model, Value> & Sendable) {
    self.keyPath = keyPath
    self.offset = MemoryLayout<Model>.offset(of: keyPath)
  }

  @inlinable
  func value(in model: UnsafePointer<Model>) -> Value { value(at: UnsafeRawPointer(model)) }

  /// The property of the model that a pointer points to.
  @inlinable
  func value(at model: UnsafeRawPointer) -> Value {
    // SAFETY: `model` points to an initialized `Model` for the whole call, as
    // those see to who make a pointer of one; `offset` is that of a stored
    // property of `Model` whose type is `Value`, which is what
    // `MemoryLayout.offset(of:)` returns for this key path.
    guard let offset else {
      return model.assumingMemoryBound(to: Model.self).pointee[keyPath: keyPath]
    }
    return model.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
  }
}
