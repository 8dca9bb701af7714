import Foundation
import Moho

/// The closing of a bank, in a table of its own.
public struct BankDetails: MappedModel, Hashable {
  /// The certificate number of the bank. Documents do not have it here.
  public var cert: Int
  /// The bank that acquired the failed bank.
  public var acquirer: String
  /// The closing date.
  public var closedOn: Date
  /// The year of the closing date, for sections. Documents do not have it.
  public var closedIn: Int
  /// The date of the last update.
  public var updatedOn: Date

  /// The keys.
  public static let mapping = Mapping(
    "BankDetails", BankDetails.init, .key("cert", \.cert, default: 0, .unique, .storeOnly),
    .key("acquirer", \.acquirer),
    .key("closedOn", \.closedOn, json: "close_date", .iso8601Date, .indexed),
    .key("closedIn", \.closedIn, default: 0, .storeOnly),
    .key("updatedOn", \.updatedOn, json: "updated_date", .iso8601Date))

  /// Sets the closing date and its year.
  mutating func close(on day: Date) {
    closedOn = day
    closedIn = Calendar.gregorianUTC.component(.year, from: day)
  }
}

extension Calendar {
  /// The calendar of the dates in documents.
  static let gregorianUTC: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}
