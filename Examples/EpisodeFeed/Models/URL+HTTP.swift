import Foundation

extension URL {
  /// Whether the scheme is `http` or `https`.
  var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}
