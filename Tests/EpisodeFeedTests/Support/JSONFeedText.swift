import Foundation

/// A JSON Feed with the given items.
func jsonFeed(title: String = "Deep Time", _ items: String...) -> Data {
  Data(
    """
    {"version": "https://jsonfeed.org/version/1.1", "title": "\(title)",
     "items": [\(items.joined(separator: ",\n"))]}
    """.utf8)
}
