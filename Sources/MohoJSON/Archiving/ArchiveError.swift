import MohoMapping

/// Why the version of an archive cannot be read.
///
/// ```
/// newer version: archive of `Episode` has version 3, expected up to 2
/// ```
public struct ArchiveError: Error, Sendable {
  /// What kind of mistake it is.
  public struct Code: Hashable, Sendable {
    let name: String

    /// A newer version of the program has written the archive.
    public static let newerVersion = Code(name: "newer version")
    /// The archive is older than the oldest version that has an upgrade.
    public static let missingUpgrade = Code(name: "missing upgrade")
    /// An upgrade has thrown an error.
    public static let failedUpgrade = Code(name: "failed upgrade")
    /// The archive has no version, and the declaration does not say which one
    /// such documents have.
    public static let missingVersion = Code(name: "missing version")
    /// The archive's version is not an integer of 0 or more.
    public static let invalidVersion = Code(name: "invalid version")
    /// The versions of the upgrades are not those before the archive's.
    public static let invalidDeclaration = Code(name: "invalid archive")
  }

  /// What kind of mistake it is.
  public let code: Code
  /// The name of the model's mapping.
  public let model: String
  /// The version that is declared.
  public let version: Int
  /// The version that was found, or that the upgrade which failed leads from.
  public let foundVersion: Int?
  /// What the error came from.
  public internal(set) var underlying: (any Error)?

  /// What is wrong with the declaration.
  var problem: String?

  init(code: Code, model: String, version: Int, foundVersion: Int?) {
    self.code = code
    self.model = model
    self.version = version
    self.foundVersion = foundVersion
  }
}

extension ArchiveError: CustomStringConvertible {
  /// The message, on one line.
  public var description: String {
    let reason = underlying.map { ": \($0)" } ?? ""
    return "\(code.name): archive of `\(model)`\(detail)\(reason)".escapedForMessages
  }

  private var detail: String {
    let found = foundVersion.map { " has version \($0)" } ?? ""
    return switch code {
    case .newerVersion: "\(found), expected up to \(version)"
    case .missingUpgrade: "\(found), which has no upgrade to \(version)"
    case .missingVersion: ", expected `\(Names.version)` up to \(version)"
    case .failedUpgrade: " from version \(foundVersion ?? 0) to \((foundVersion ?? 0) + 1)"
    default: problem.map { " - \($0)" } ?? ""
    }
  }
}
