extension MemberReceiver where Value: MappedModel {
  /// The receiver of an inlined model.
  static var inlined: Self {
    Self(
      read: { try Value.readMembers(from: $0, at: $1) },
      apply: { Value.mapping.patching($0, stored: $1, incoming: $2) },
      difference: { Value.mapping.memberPatch(from: $0, to: $1) },
      elements: { Value.mapping.elementMembers(of: $0) },
      write: { try Value.mapping.write($0, $1, to: $2, at: $3) },
      access: .inlined)
  }

  /// The receiver of an optional inlined model.
  static var inlinedOptional: MemberReceiver<Value?> {
    MemberReceiver<Value?>(
      read: { try Value.readMembers(from: $0, at: $1) },
      apply: { patch, stored, incoming in
        // A model that becomes nil receives nothing.
        if case .some(.none) = incoming { return .some(nil) }
        return .some(
          Value.mapping.patching(patch, stored: stored ?? nil, incoming: incoming ?? nil))
      },
      difference: { old, new in
        guard let old, let new else { return nil }
        return Value.mapping.memberPatch(from: old, to: new)
      },
      elements: { $0.map { Value.mapping.elementMembers(of: $0) } ?? [] },
      write: { patch, incoming, encoder, index in
        if case .some(.none) = incoming { return try encoder.encodeNull(at: index) }
        try Value.mapping.write(patch, incoming ?? nil, to: encoder, at: index)
      },
      access: MemberAccess<Value>.inlinedOptional)
  }
}

extension MappedModel {
  /// Reads the changes of the members that an inlined model receives.
  fileprivate static func readMembers(
    from decoder: any MergePatchDecoder, at index: Int
  ) throws -> MemberPatch? {
    let mapping = mapping
    guard mapping.fieldKeys.receiver != nil,
      let object = try? decoder.object(at: index, keys: mapping.fieldKeys)
    else { return nil }
    guard let object = object as? any MergePatchDecoder else { return nil }
    return try mapping.readMembers(from: object)
  }
}

extension Mapping {
  /// Reads the changes of the members that the model receives, or an inlined
  /// model or the chosen variant.
  func readMembers(from decoder: any MergePatchDecoder) throws -> MemberPatch? {
    guard let index = fieldKeys.receiver else { return nil }
    guard fieldKeys.isCluster else { return try fields[index].receiver?.read(decoder, index) }
    for model in fieldKeys.chosen?(decoder) ?? [] {
      if let patch = try model.readMembers(from: decoder, at: index) { return patch }
    }
    return nil
  }

  /// Returns a model with changed unknown members: those of the stored model.
  /// The other keys are those of the incoming model, or else of the stored one.
  func patching(_ patch: MemberPatch, stored: Model?, incoming: Model?) -> Model? {
    guard let index = fieldKeys.receiver,
      let base = incoming ?? stored ?? emptyModel
    else { return incoming ?? stored }
    let box = fields[index].receiver?.apply(
      patch, stored.map { value(of: $0, at: index) }, incoming.map { value(of: $0, at: index) })
    return box.map { replacing([index: $0], in: base) } ?? base
  }

  /// Returns the changes of the unknown members. Nil if the models do not receive
  /// the members of the same object.
  func memberPatch(from old: Model, to new: Model) -> MemberPatch? {
    guard let index = fieldKeys.receiver else { return nil }
    return fields[index].receiver?.difference(
      value(of: old, at: index), value(of: new, at: index))
  }

  /// Returns the assignments of all unknown members in elements of arrays.
  func elementMembers(of model: Model) -> [MemberPatch.Entry] {
    guard let index = fieldKeys.receiver else { return [] }
    return fields[index].receiver?.elements(value(of: model, at: index)) ?? []
  }

  /// Writes the object of an inlined model: its keys, and changes of members.
  fileprivate func write(
    _ patch: MemberPatch, _ model: Model?, to encoder: any FieldEncoder, at index: Int
  ) throws {
    try encoder.encodeObject(at: index, keys: fieldKeys) { encoder in
      for index in fieldKeys.written {
        if index == fieldKeys.receiver {
          let box = model.map { value(of: $0, at: index) }
          try fields[index].receiver?.write(patch, box, encoder, index)
        } else if let model {
          try withUnsafePointer(to: model) { try encode($0, order: [index], to: encoder) }
        }
      }
    }
  }

  func value(of model: Model, at index: Int) -> any AnyValueBox {
    withUnsafePointer(to: model) { fields[index].value($0) }
  }

  /// The model of an object without keys. Nil if the model requires some.
  private var emptyModel: Model? {
    if fieldKeys.isCluster { return nil }
    return try? model(from: ContentDecoder([], keys: fieldKeys))
  }
}

extension ModelVariant {
  /// How a merge patch changes the unknown members of a payload.
  struct Receiver: Sendable {
    let apply: @Sendable (MemberPatch, _ stored: Model?, _ incoming: Model) -> Model?
    let difference: @Sendable (Model, Model) -> MemberPatch?
    let elements: @Sendable (Model) -> [MemberPatch.Entry]?
    let write: @Sendable (MemberPatch, Model, any FieldEncoder, Int) throws -> Bool
    let members: @Sendable (Model) -> MemberSet<Model>?

    init<Payload: MappedModel>(
      _ payload: @escaping @Sendable (Model) -> Payload?,
      replacing: @escaping @Sendable (Model, Payload) -> Model
    ) {
      apply = { patch, stored, incoming in
        guard let new = payload(incoming) else { return nil }
        return Payload.mapping.patching(patch, stored: stored.flatMap(payload), incoming: new)
          .map { replacing(incoming, $0) }
      }
      difference = { old, new in
        guard let old = payload(old), let new = payload(new) else { return nil }
        return Payload.mapping.memberPatch(from: old, to: new)
      }
      elements = { payload($0).map { Payload.mapping.elementMembers(of: $0) } }
      write = { patch, model, encoder, index in
        guard let payload = payload(model) else { return false }
        try Payload.mapping.write(patch, payload, to: encoder, at: index)
        return true
      }
      members = { model in
        payload(model).flatMap { Payload.mapping.members(of: $0) }?.map { replacing(model, $0) }
      }
    }
  }
}

extension Cluster {
  /// The receiver of the variants.
  var receiver: MemberReceiver<Model> {
    let variants = variants.compactMap(\.receiver)
    return MemberReceiver(
      read: { _, _ in nil },
      apply: { patch, stored, incoming in
        guard let incoming = incoming ?? stored else { return nil }
        return variants.lazy.compactMap { $0.apply(patch, stored, incoming) }.first ?? incoming
      },
      difference: { old, new in variants.lazy.compactMap { $0.difference(old, new) }.first },
      elements: { model in variants.lazy.compactMap { $0.elements(model) }.first ?? [] },
      write: { patch, model, encoder, index in
        guard let model else { return }
        for variant in variants where try variant.write(patch, model, encoder, index) { return }
      },
      access: MemberAccess(variants: { model in
        variants.lazy.compactMap { $0.members(model) }.first
      }))
  }
}
