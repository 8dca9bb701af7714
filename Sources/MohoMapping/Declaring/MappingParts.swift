/// What a ``Mapping`` consists of.
struct MappingParts<Model>: Sendable {
  typealias Loop =
    @Sendable (
      any FieldDecoder, () throws -> Bool, _ accept: ((inout Model) throws -> Void)?,
      inout [Model]
    ) throws -> Void

  let name: String
  let fieldKeys: FieldKeys
  /// The issues of the keys that are declared here.
  var declaredIssues: [DeclarationIssue]
  var identity: [Int] = []
  var declaresIdentity = false
  var uniqueKeys: [[String]] = []
  var indexes: [[String]] = []
  var fields: [MappedField<Model>]
  /// The property of each key. Nil if none is declared.
  // To copy fields takes longer than to compare their key paths.
  let keyPaths: [(any PartialKeyPath<Model> & Sendable)?]
  let writers: KeyWriters
  /// Reads a model. Throws a ``KeyFailure`` if a key cannot be read.
  // This function and the next one are specialized with the declaration: code that is generic
  // in the model looks up metadata for every object.
  let read: @Sendable (any FieldDecoder) throws -> Model
  /// Appends a model for each object that the decoder is advanced to, after it was
  /// accepted or changed.
  let readAll: Loop
  /// Creates a model from another one, with some values replaced.
  let rebuild: @Sendable (UnsafePointer<Model>, (Int) -> (any AnyValueBox)?) -> Model
  /// Creates a model from a value for each key, or returns nil if one is
  /// missing.
  let assemble: @Sendable ((Int) -> (any AnyValueBox)?) -> Model?
  /// How the keys are copied without a model. Nil if one of them cannot be.
  var copies: [KeyCopy]?
  /// The variants if the model is a cluster.
  var clusterSchema: ObjectSchema.Cluster?
  /// Whether the mapping has validations or repairs.
  var hasRules = false
  /// Validations and repairs of each model that is read, in order.
  var modelRules: [ModelRule<Model>] = []
  /// The keys that have rules, in declaration order.
  var ruledFields: [RuledField<Model>] = []

  /// Returns ``readAll`` for mappings whose loop cannot be specialized.
  static func loop(
    _ read: @escaping @Sendable (any FieldDecoder) throws -> Model
  ) -> Loop {
    { decoder, advance, accept, models in
      while try advance() {
        var model = try read(decoder)
        if let accept { try accept(&model) }
        models.append(model)
      }
    }
  }
}

/// The parts of a mapping as one object: nested models get a copy of their mapping for each
/// value that is read or written.
final class MappingStorage<Model>: Sendable {
  let parts: MappingParts<Model>
  let writer: MappingWriter

  convenience init(_ parts: MappingParts<Model>) {
    self.init(parts, parts.hasRules ? Self.validation(of: parts) : nil)
  }

  private init(_ parts: MappingParts<Model>, _ validation: MappingWriter.Validation?) {
    self.parts = parts
    writer = MappingWriter(
      parts.fieldKeys, parts.writers, isDeclared: parts.declaredIssues.isEmpty, validation)
  }

  private static func validation(of parts: MappingParts<Model>) -> MappingWriter.Validation {
    let mapping = Mapping(MappingStorage(parts, nil))
    return { model, encoder, body in
      // SAFETY: Callers pass the address of an initialized `Model`.
      let model = model.assumingMemoryBound(to: Model.self)
      try mapping.withValidated(model, writtenTo: encoder) { try body(UnsafeRawPointer($0)) }
    }
  }
}
