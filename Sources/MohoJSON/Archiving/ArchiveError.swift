public import Foundation
import MohoMapping

/// Why the version of an archive cannot be decoded.
///
/// ```
/// newer version: archive of `Episode` has version 3, expected up to 2
/// ```
public struct ArchiveError: Error, Sendable {
  /// The kind of an error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// The kind in words, with which messages begin.
    public var description: String { name }

    /// A newer version of the program encoded the archive.
    public static let newerVersion = Code(name: "newer version")
    /// The archive is older than the oldest version with an upgrade.
    public static let missingUpgrade = Code(name: "missing upgrade")
    /// An upgrade threw an error.
    public static let failedUpgrade = Code(name: "failed upgrade")
    /// The archive has no version, and the declaration has no version for such documents.
    public static let missingVersion = Code(name: "missing version")
    /// The version is not an integer of 0 or more.
    public static let invalidVersion = Code(name: "invalid version")
    /// The upgrades do not cover the versions before the archive's without gaps.
    public static let invalidDeclaration = Code(name: "invalid archive")
  }

  /// The kind of the error.
  public let code: Code
  /// The name of the model's mapping.
  public let model: String
  /// The declared version.
  public let version: Int
  /// The version of the archive, or the version that the failed upgrade begins with.
  public let foundVersion: Int?
  /// The error that caused this one.
  public internal(set) var underlying: (any Error)?

  /// The issue of the declaration.
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
    case .missingVersion: ", expected `\(ArchiveKeys.version)` up to \(version)"
    case .failedUpgrade: " from version \(foundVersion ?? 0) to \((foundVersion ?? 0) + 1)"
    default: problem.map { " - \($0)" } ?? ""
    }
  }
}

extension ArchiveError: LocalizedError {
  /// The error's description, untranslated, for `localizedDescription`.
  public var errorDescription: String? { description }
}
