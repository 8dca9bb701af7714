public import MohoMapping

/// Archives models as JSON with a version, and upgrades archives of older versions.
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
/// An archive is a document such as `{"version":2,"model":{"title":"Time"}}`, with the
/// model as ``JSONAdapter`` encodes it. Nil is omitted, and an absent key decodes to its
/// default. A nil key with a default is null, and so decodes to nil. Store-only keys and
/// transient properties are not archived. Decoding validates and repairs by the
/// mapping.
///
/// It is a value that threads can share.
public struct ModelArchive<Model>: Sendable {
  /// Changes the JSON of a model from one version to the next.
  public typealias Upgrade = @Sendable (_ model: inout JSONValue) throws -> Void

  /// The version of encoded archives.
  public let version: Int
  /// The version of documents without one; nil if they are refused.
  public let unversioned: Int?

  let adapter: JSONAdapter<Model>
  let upgrades: [Int: Upgrade]
  /// The issue of the declaration.
  let problem: String?

  /// Creates an archive.
  ///
  /// - Parameters:
  ///   - mapping: The keys.
  ///   - version: The version of the mapping, from 0.
  ///   - unversioned: The version of documents without one, such as those of a program
  ///     before it used versions. By default, such a document is an ``ArchiveError``.
  ///   - upgrades: The step to the next version, for each supported version except the
  ///     latest. The versions must have no gaps.
  public init(
    _ mapping: Mapping<Model>, version: Int = 0, unversioned: Int? = nil,
    upgrades: KeyValuePairs<Int, Upgrade> = [:]
  ) {
    self.version = version
    self.unversioned = unversioned
    self.upgrades = Dictionary(upgrades.map { ($0.key, $0.value) }) { first, _ in first }
    adapter = JSONAdapter(mapping, envelope: FieldPath([.key(ArchiveKeys.model)]))
    problem = Self.problem(
      version: version, unversioned: unversioned, steps: upgrades.map(\.key))
  }

  /// Creates an archive of a model's own mapping.
  ///
  /// - Parameters:
  ///   - version: The version of the mapping, from 0.
  ///   - unversioned: The version of documents without one. By default, such a
  ///     document is an ``ArchiveError``.
  ///   - upgrades: The step to the next version, for each supported version except the
  ///     latest. The versions must have no gaps.
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
      return "the upgrade of version \(step) is not below version \(version)"
    }
    let read = (steps.first ?? version)...version
    if let missing = read.dropLast().first(where: { !steps.contains($0) }) {
      return "version \(missing) has no upgrade"
    }
    guard let unversioned, !read.contains(unversioned) else { return nil }
    return "documents without a version have version \(unversioned), which is not read"
  }
}

/// The keys of an archive.
enum ArchiveKeys {
  static let version = "version"
  static let model = "model"
}
