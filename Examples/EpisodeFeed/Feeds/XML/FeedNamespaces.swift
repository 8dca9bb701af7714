import Foundation

/// The namespaces of feeds, in the forms that documents have.
enum FeedNamespaces {
  /// The modules by their namespaces, normalized.
  private static let modules: [String: String] = {
    var modules: [String: String] = [
      "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
      "example.com/dtds/podcast-1.0.dtd": "itunes",
      "purl.org/rss/1.0/modules/content": "content",
      "purl.org/dc/elements/1.1": "dc", "purl.org/dc/elements/1.0": "dc",
      "purl.org/dc/terms": "dcterms",
      "search.yahoo.com/mrss": "media", "tools.search.yahoo.com/mrss": "media",
      "video.search.yahoo.com/mrss": "media", "search.yahoo.com/mrss/1.0": "media",
      "www.google.com/schemas/play-podcasts/1.0": "googleplay",
      "podcastindex.org/namespace/1.0": "podcast",
      "podlove.org/simple-chapters": "psc",
      "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
    ]
    for name in [
      "purl.org/rss/1.0", "my.netscape.com/rdf/simple/0.9", "channel.netscape.com/rdf/simple/0.9",
      "my.netscape.com/rdf/simple/0.9", "my.netscape.com/publish/formats/rss-0.91.dtd",
      "backend.userland.com/rss", "backend.userland.com/rss2", "backend.userland.com/rss2.0",
      "backend.userland.com/rss191", "backend.userland.com/rss0.92",
      "blogs.law.harvard.edu/tech/rss", "cyber.law.harvard.edu/rss", "purl.org/net/rss1.1",
      "purl.org/rss/2.0", "www.rssboard.org/rss-specification",
    ] { modules[name] = "rss" }
    for name in [
      "www.w3.org/2005/atom", "purl.org/atom/ns", "purl.org/atom/ns#", "example.com/newformat",
      "example.com/necho", "purl.org/echo", "purl.org/pie", "uri/of/echo/namespace",
    ] { modules[name] = "atom" }
    return modules
  }()

  /// The usual prefixes, which documents use without a declaration.
  static let prefixes: [String: String] = [
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/", "dcterms": "http://purl.org/dc/terms/",
    "media": "http://search.yahoo.com/mrss/", "atom": "http://www.w3.org/2005/Atom",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "googleplay": "http://www.google.com/schemas/play-podcasts/1.0",
    "podcast": "https://podcastindex.org/namespace/1.0",
    "psc": "http://podlove.org/simple-chapters",
  ]

  /// The module of a namespace: that of the root for elements without a
  /// namespace, `rss`, `atom`, or the usual prefix. Unknown namespaces are their
  /// own modules.
  ///
  /// - Parameter root: The module of the root; nil for the root.
  static func module(_ namespace: String, root: String?, rootName: String) -> String {
    if namespace.isEmpty { return root ?? defaultModule(rootName) }
    let name = namespace.lowercased().replacing(/^https?:\/\//, with: "")
      .replacing(/[\/#]+$/, with: "")
    let module = modules[name] ?? namespace
    return root == nil && ["rdf", namespace].contains(module) ? defaultModule(rootName) : module
  }

  private static func defaultModule(_ rootName: String) -> String {
    rootName == "feed" ? "atom" : ["rss", "RDF", "rdf"].contains(rootName) ? "rss" : ""
  }
}
