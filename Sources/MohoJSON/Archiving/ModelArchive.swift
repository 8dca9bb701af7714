public import MohoMapping

/// Keeps models as JSON with a version, and reads what older versions of a
/// program have kept.
///
/// ```swift
/// let archive = ModelArchive<Episode>(
///   version: 2,
///   upgrades: [
///     0: { json in
///       json["title"] = json["name"]
///       json["name"] = nil
///     },
///     1: { json in json["isPlayed"] = false },
///   ])
///
/// let data = try archive.data(from: episode)
/// let episode = try archive.model(from: data)
/// ```
///
/// An archive is a document such as `{"version":2,"model":{"title":"Time"}}`,
/// the model as ``JSONAdapter`` writes it. Nil is left out, and what is left
/// out is read as the key's default; a nil key that has a default is null, and
/// so stays nil. Keys that only a store holds and transient properties are not
/// kept. Reading validates and repairs by the mapping.
///
/// It is a value that threads may share.
public struct ModelArchive<Model>: Sendable {
  /// Changes the JSON of a model from one version to the next.
  public typealias Upgrade = @Sendable (_ model: inout JSONValue) throws -> Void

  /// The version that is written.
  public let version: Int
  /// The version of documents that have none; nil where they are refused.
  public let unversioned: Int?

  let adapter: JSONAdapter<Model>
  let upgrades: [Int: Upgrade]
  /// What is wrong with the declaration, if anything is.
  let problem: String?

  /// Makes an archive.
  ///
  /// - Parameters:
  ///   - mapping: The keys.
  ///   - version: The version of the mapping, from 0.
  ///   - unversioned: The version of documents that have none, such as those that a
  ///     program wrote before it had versions. Unless given, such a document is an
  ///     ``ArchiveError``.
  ///   - upgrades: For each version that is still read but the latest, the step
  ///     to the next. The versions must have no gaps.
  public init(
    _ mapping: Mapping<Model>, version: Int = 0, unversioned: Int? = nil,
    upgrades: KeyValuePairs<Int, Upgrade> = [:]
  ) {
    self.version = version
    self.unversioned = unversioned
    self.upgrades = Dictionary(upgrades.map { ($0.key, $0.value) }) { first, _ in first }
    adapter = JSONAdapter(mapping, envelope: FieldPath([.key(Names.model)]))
    problem = Self.problem(
      version: version, unversioned: unversioned, steps: upgrades.map(\.key))
  }

  /// Makes an archive of a model's own mapping.
  ///
  /// - Parameters:
  ///   - version: The version of the mapping, from 0.
  ///   - unversioned: The version of documents that have none. Unless given, such a
  ///     document is an ``ArchiveError``.
  ///   - upgrades: For each version that is still read but the latest, the step
  ///     to the next. The versions must have no gaps.
  public init(
    version: Int = 0, unversioned: Int? = nil, upgrades: KeyValuePairs<Int, Upgrade> = [:]
  ) where Model: MappedModel {
    self.init(Model.mapping, version: version, unversioned: unversioned, upgrades: upgrades)
  }

  private static func problem(version: Int, unversioned: Int?, steps: [Int]) -> String? {
    if version < 0 { return "version \(version) is negative" }
    let steps = steps.sorted()
    if let twice = zip(steps, steps.dropFirst()).first(where: { $0 == $1 }) {
      return "version \(twice.0) has two upgrades"
    }
    if let step = steps.first(where: { !(0..<version).contains($0) }) {
      return "the upgrade of version \(step) leads to none up to \(version)"
    }
    let read = (steps.first ?? version)...version
    if let missing = read.dropLast().first(where: { !steps.contains($0) }) {
      return "version \(missing) has no upgrade"
    }
    guard let unversioned, !read.contains(unversioned) else { return nil }
    return "documents without a version have version \(unversioned), which is not read"
  }
}

/// The names of an archive's members.
enum Names {
  static let version = "version"
  static let model = "model"
}
