public import MohoMapping

/// Reads models from JSON and writes them, by their mapping.
///
/// ```swift
/// let adapter = JSONAdapter<Episode>()
/// let episodes = try adapter.models(from: data, at: "items")
/// let text = try adapter.data(from: episodes, formatting: .pretty)
/// ```
///
/// What is read must be what the mapping says, and nothing is converted:
/// `"5"` is no integer, 1 is no truth value, unless a transform says so. A number
/// is what its text spells: an integer may be written with a fraction or an
/// exponent where it is exactly one (`100.0`, `1e17`), a `Decimal` of up to 38
/// digits is exact, a `Double` is the nearest one. Unknown keys are ignored,
/// unless ``unknownKeys`` says otherwise. A key is absent also where an object or
/// array on the way to it is, null where that is null, and an error where that is
/// anything else. A key with
/// alternatives is absent where it is at all of its paths.
///
/// What is written reads back equal.
///
/// Objects are read in one pass over their bytes, without a tree, where nothing is
/// wrong with them and the mapping is of common keys. All others are parsed by
/// libjansson, which says what is wrong: both ways lead to the same values and
/// the same errors. Keys that collect or take unknown members are always parsed,
/// and so is everything where unknown keys are looked for.
///
/// An adapter prepares its mapping's paths when it is made: keep one for
/// documents to come. It is a value that threads may share.
public struct JSONAdapter<Model>: Sendable {
  /// The keys.
  public let mapping: Mapping<Model>
  /// The path at which each model's object lies, or nil where it lies bare.
  public let envelope: FieldPath?
  /// How nil is written, unless a key or a call says otherwise.
  public let nulls: NullPolicy
  /// Which errors of a document are looked for.
  public let errors: ErrorPolicy
  /// What is done about members that no key is mapped to.
  public let unknownKeys: UnknownKeyPolicy

  let paths: PathTable
  let envelopePath: PathTable?
  let output: OutputTree
  let plan: OutputPlan
  /// How a scanner finds the keys; nil where the parser must read everything.
  var scanPlan: ScanPlan?

  /// Makes an adapter.
  ///
  /// - Parameters:
  ///   - mapping: The keys.
  ///   - envelope: The path at which each model's object lies: with
  ///     `"episode"`, an array of models is `[{"episode": {…}}, …]`.
  ///   - nulls: How nil is written.
  ///   - errors: Which errors of a document are looked for.
  ///   - unknownKeys: What is done about members that no key is mapped to.
  public init(
    _ mapping: Mapping<Model>, envelope: FieldPath? = nil, nulls: NullPolicy = .omit,
    errors: ErrorPolicy = .all, unknownKeys: UnknownKeyPolicy = .ignore
  ) {
    self.mapping = mapping
    self.envelope = envelope
    self.nulls = nulls
    self.errors = errors
    self.unknownKeys = unknownKeys
    // A declaration with issues is an error of every call.
    let keys = mapping.issues.isEmpty ? mapping.keys : []
    let envelope = envelope?.problem == nil ? envelope : nil
    paths = PathTable(keys)
    envelopePath = envelope.map { PathTable([$0]) }
    output = OutputTree(keys.map(\.source), envelope: envelope)
    plan = OutputPlan(output, keyCount: mapping.keys.count)
    if case .ignore = unknownKeys { scanPlan = ScanPlan(keys, envelope: envelope) }
  }

  /// Makes an adapter of a model's own mapping.
  ///
  /// - Parameters:
  ///   - envelope: The path at which each model's object lies.
  ///   - nulls: How nil is written.
  ///   - errors: Which errors of a document are looked for.
  ///   - unknownKeys: What is done about members that no key is mapped to.
  public init(
    envelope: FieldPath? = nil, nulls: NullPolicy = .omit, errors: ErrorPolicy = .all,
    unknownKeys: UnknownKeyPolicy = .ignore
  ) where Model: MappedModel {
    self.init(
      Model.mapping, envelope: envelope, nulls: nulls, errors: errors, unknownKeys: unknownKeys)
  }

  func checkDeclaration(and path: FieldPath? = nil) throws {
    try mapping.checkDeclaration()
    for case let path? in [envelope, path] {
      guard let problem = path.problem ?? path.problemOfOneValue else { continue }
      throw MappingError(.invalidDeclaration, model: mapping.name, found: problem)
    }
  }
}

extension FieldPath {
  /// Why the path does not lead to one value.
  fileprivate var problemOfOneValue: String? {
    for case .index(let index) in components where index < 0 {
      return "the path `\(self)` has a negative index"
    }
    return elementPath == nil
      ? nil : "the path `\(self)` has a `[*]`, and must lead to one value: only keys collect"
  }
}
