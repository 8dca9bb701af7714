import Foundation
import Moho

/// A bank that has failed, as lists of the Federal Deposit Insurance Corporation
/// have it.
public struct FailedBank: MappedModel, Hashable {
  /// The number of the bank's insurance certificate.
  public var cert: Int
  /// The name.
  public var name: String
  /// The city that it was in.
  public var city: String
  /// The state that it was in.
  public var state: String
  /// What became of it, in a row of its own.
  public var details: BankDetails

  /// The keys.
  public static let mapping = Mapping(
    "FailedBank", FailedBank.init, .key("cert", \.cert, .unique), .key("name", \.name),
    .key("city", \.city), .key("state", \.state, .indexed),
    .toOne("details", \.details, onDelete: .cascade))
}
