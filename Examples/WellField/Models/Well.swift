import Foundation
import Moho

/// A hole in the ground.
public struct Well: MappedModel, Hashable {
  /// What the well is registered by.
  public var id: Int
  /// Its name, of the field and a number.
  public var name: String
  /// The county that it lies in.
  public var county: String
  /// How deep it is, in meters.
  public var depth: Int
  /// The day on which drilling began.
  public var begunOn: Date
  /// Whether it is still in use.
  public var isActive: Bool

  /// The keys.
  public static let mapping = Mapping(
    "Well", Well.init, .key("id", \.id, .unique), .key("name", \.name), .key("county", \.county),
    .key("depth", \.depth, .indexed), .key("begunOn", \.begunOn), .key("isActive", \.isActive))
}
