import Foundation
import Moho

/// A well in an oil field.
public struct Well: MappedModel, Hashable {
  /// The number under which the well is registered.
  public var id: Int
  /// The name of the field, followed by numbers.
  public var name: String
  /// The county of the well.
  public var county: String
  /// The depth in meters.
  public var depth: Int
  /// The day on which drilling began.
  public var begunOn: Date
  /// Whether the well is in use.
  public var isActive: Bool

  /// The keys.
  public static let mapping = Mapping(
    "Well", Well.init, .key("id", \.id, .unique), .key("name", \.name), .key("county", \.county),
    .key("depth", \.depth, .indexed), .key("begunOn", \.begunOn), .key("isActive", \.isActive))
}
