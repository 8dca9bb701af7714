import Foundation
import Moho

/// An RSS feed with the given items.
func rssFeed(title: String = "Deep Time", _ items: String...) -> Data {
  Data(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:atom="http://www.w3.org/2005/Atom" xmlns:podcast="https://podcastindex.org/namespace/1.0">
    <channel><title>\(title)</title>
    \(items.map { "<item>\($0)</item>" }.joined(separator: "\n"))
    </channel></rss>
    """.utf8)
}

/// An Atom feed with the given entries.
func atomFeed(title: String = "Deep Time", _ entries: String...) -> Data {
  Data(
    """
    <?xml version="1.0"?>
    <a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns="http://www.w3.org/2005/Atom"
      xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd">
    <a:title>\(title)</a:title>
    \(entries.map { "<entry>\($0)</entry>" }.joined(separator: "\n"))
    </a:feed>
    """.utf8)
}

/// A date in ISO 8601.
func isoDate(_ text: String) -> Date? { DateFormat.iso8601.date(text) }
