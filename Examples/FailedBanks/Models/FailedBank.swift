import Foundation
import Moho

/// A failed bank in the format of the Federal Deposit Insurance Corporation's
/// list.
public struct FailedBank: MappedModel, Hashable {
  /// The number of the bank's insurance certificate.
  public var cert: Int
  /// The name of the bank.
  public var name: String
  /// The city of the bank.
  public var city: String
  /// The state of the bank.
  public var state: String
  /// The closing of the bank, a related row.
  public var details: BankDetails

  /// The keys.
  public static let mapping = Mapping(
    "FailedBank", FailedBank.init, .key("cert", \.cert, .unique), .key("name", \.name),
    .key("city", \.city), .key("state", \.state, .indexed),
    .toOne("details", \.details, whenThisIsDeleted: .cascadeEvenIfShared))
}
