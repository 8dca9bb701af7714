public import MohoMapping

/// Decodes models from JSON and encodes them, by their mapping.
///
/// ```swift
/// let adapter = JSONAdapter<Episode>()
/// let episodes = try adapter.models(from: data, at: "items")
/// let text = try adapter.data(from: episodes, formatting: .pretty)
/// ```
///
/// Values are never converted unless a transform does it: `"5"` is not an integer,
/// and 1 is not a Boolean. The text of a number decides its value: an integer can
/// have a fraction or an exponent if the number is whole (`100.0`, `1e17`), a
/// `Decimal` is exact, and a `Double` is the nearest one.
///
/// A key is absent if an object or array on its path is absent, and null if one is
/// null. Any other value on the path is an error. A key with alternatives is absent
/// if it is absent at all of its paths. Unknown keys are skipped by default; see
/// ``unknownKeyPolicy``.
///
/// Encoded models decode to equal models.
///
/// Valid objects are decoded by a single pass over their bytes, without a tree.
/// Everything else takes the diagnostic path, which reports what is wrong. Both
/// paths lead to the same values and errors. Adapters that look for unknown keys
/// always take the diagnostic path.
///
/// An adapter compiles the paths of its mapping when it is created, and reuses what it learns
/// from documents and the memory that it needs for them: create it once. It is a value that
/// threads can share.
public struct JSONAdapter<Model>: Sendable {
  /// The keys.
  public let mapping: Mapping<Model>
  /// The path of each model's object in its element; nil without an envelope.
  public let envelope: FieldPath?
  /// How nil is encoded, unless a key or a call overrides it.
  public let nullPolicy: NullPolicy
  /// Which errors of a document are collected.
  public let errorPolicy: ErrorPolicy
  /// What happens to unknown keys.
  public let unknownKeyPolicy: UnknownKeyPolicy

  /// The values of store-only keys.
  var supplied = SuppliedValues()
  /// What is wrong with the keys of supplied values.
  var supplyIssue: String?
  let paths: PathTable
  let output: OutputTree
  let plan: OutputPlan
  /// The plan of the fast path; nil if the mapping needs the diagnostic path.
  var scanPlan: FieldScanPlan?
  /// The scanners of the plan and the supplied values that no call uses at the moment.
  var idleScanners = IdleObjects<ObjectScanner>()
  /// The writers of all formats that no call uses at the moment.
  let idleWriters = IdleObjects<ObjectWriter>()

  /// Creates an adapter.
  ///
  /// - Parameters:
  ///   - mapping: The keys.
  ///   - envelope: The path of each model's object in its element. With
  ///     `"episode"`, an array of models is `[{"episode": {…}}, …]`.
  ///   - nullPolicy: How nil is encoded.
  ///   - errorPolicy: Which errors of a document are collected.
  ///   - unknownKeyPolicy: What happens to unknown keys.
  public init(
    _ mapping: Mapping<Model>, envelope: FieldPath? = nil, nullPolicy: NullPolicy = .omit,
    errorPolicy: ErrorPolicy = .all, unknownKeyPolicy: UnknownKeyPolicy = .ignore
  ) {
    self.mapping = mapping
    self.envelope = envelope
    self.nullPolicy = nullPolicy
    self.errorPolicy = errorPolicy
    self.unknownKeyPolicy = unknownKeyPolicy
    // Every call throws the issues of an invalid declaration.
    let keys = mapping.issues.isEmpty ? mapping.keys : []
    let envelope = envelope?.problem == nil ? envelope : nil
    paths = PathTable(keys)
    output = OutputTree(keys.map(\.source), envelope: envelope)
    plan = OutputPlan(output, keyCount: mapping.keys.count)
    if case .ignore = unknownKeyPolicy {
      scanPlan = FieldScanPlan(
        keys, otherPaths: mapping.fieldKeys.pathsOfInlinedModels(), envelope: envelope)
    }
  }

  /// Creates an adapter of a model's own mapping.
  ///
  /// - Parameters:
  ///   - envelope: The path of each model's object in its element.
  ///   - nullPolicy: How nil is encoded.
  ///   - errorPolicy: Which errors of a document are collected.
  ///   - unknownKeyPolicy: What happens to unknown keys.
  public init(
    envelope: FieldPath? = nil, nullPolicy: NullPolicy = .omit, errorPolicy: ErrorPolicy = .all,
    unknownKeyPolicy: UnknownKeyPolicy = .ignore
  ) where Model: MappedModel {
    self.init(
      Model.mapping, envelope: envelope, nullPolicy: nullPolicy, errorPolicy: errorPolicy,
      unknownKeyPolicy: unknownKeyPolicy)
  }

  /// Creates an adapter of the partial models of another adapter's models.
  init<Whole>(partsOf adapter: JSONAdapter<Whole>) where Model == Partial<Whole> {
    mapping = adapter.mapping.ofPartials
    envelope = adapter.envelope
    nullPolicy = adapter.nullPolicy
    errorPolicy = adapter.errorPolicy
    unknownKeyPolicy = adapter.unknownKeyPolicy
    supplied = adapter.supplied
    supplyIssue = adapter.supplyIssue
    paths = adapter.paths
    output = adapter.output
    plan = adapter.plan
    scanPlan = adapter.mapping.fieldKeys.needsDiagnosticMergePatches ? nil : adapter.scanPlan
    if scanPlan != nil { idleScanners = adapter.idleScanners }
  }

  func checkDeclaration(and path: FieldPath? = nil) throws {
    try mapping.checkDeclaration()
    if let supplyIssue {
      throw MappingError(.invalidDeclaration, model: mapping.name, found: supplyIssue)
    }
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
