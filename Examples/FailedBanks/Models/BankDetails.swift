import Foundation
import Moho

/// What became of a bank.
public struct BankDetails: MappedModel, Hashable {
  /// The certificate of the bank. Documents do not repeat it.
  public var cert: Int
  /// The bank that took it over.
  public var acquirer: String
  /// The day on which it was closed.
  public var closedOn: Date
  /// The year of that day, by which a store can put banks into sections.
  /// Documents do not repeat it.
  public var closedIn: Int
  /// The day on which this was last updated.
  public var updatedOn: Date

  /// The keys.
  public static let mapping = Mapping(
    "BankDetails", BankDetails.init, .key("cert", \.cert, default: 0, .unique, .storeOnly),
    .key("acquirer", \.acquirer),
    .key("closedOn", \.closedOn, json: "close_date", .iso8601Date, .indexed),
    .key("closedIn", \.closedIn, default: 0, .storeOnly),
    .key("updatedOn", \.updatedOn, json: "updated_date", .iso8601Date))

  /// Gives the bank another day on which it was closed.
  mutating func close(on day: Date) {
    closedOn = day
    closedIn = Calendar.gregorianUTC.component(.year, from: day)
  }
}

extension Calendar {
  /// The calendar of the days in documents.
  static let gregorianUTC: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}
