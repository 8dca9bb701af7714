import Foundation
import Testing

/// A feed as Python's `feedparser` reads it.
struct OracleFeed: Decodable {
  struct Entry: Decodable {
    let title: String
    let dates: [Double]
    let link: String
    let enclosures: [String]
    let duration: String
    /// The starts and titles of Podlove Simple Chapters.
    let chapters: [String]
  }

  let isWellFormed: Bool
  let version: String
  let entries: [Entry]

  static var isInstalled: Bool { (try? output(["-c", "import feedparser"])) != nil }

  /// The feeds in a folder, by their paths in it.
  static func feeds(in folder: URL) throws -> [String: OracleFeed] {
    try JSONDecoder().decode(
      [String: OracleFeed].self, from: output(["-c", script, folder.path]))
  }

  private static func output(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return data
  }

  private static let script = """
    import calendar, feedparser, json, os, sys
    feeds = {}
    for folder, _, names in os.walk(sys.argv[1]):
        for name in names:
            path = os.path.join(folder, name)
            if not name.endswith((".xml", ".json")):
                continue
            with open(path, "rb") as file:
                feed = feedparser.parse(file.read(), response_headers={})
            feeds[os.path.relpath(path, sys.argv[1])] = {
                "isWellFormed": not feed.bozo,
                "version": feed.get("version", ""),
                "entries": [
                    {
                        "title": entry.get("title") or "",
                        "dates": [
                            calendar.timegm(entry[key]) for key in (
                                "published_parsed", "updated_parsed", "created_parsed")
                            if entry.get(key)],
                        "link": entry.get("link") or "",
                        "enclosures": [
                            item.get("href") or "" for item in entry.get("enclosures", [])],
                        "duration": entry.get("itunes_duration") or "",
                        "chapters": [
                            f"{chapter['start_parsed'].total_seconds()} {chapter['title']}"
                            for chapter in (entry.get("psc_chapters") or {}).get("chapters", [])
                            if chapter.get("start_parsed") is not None],
                    }
                    for entry in feed.entries
                ],
            }
    json.dump(feeds, sys.stdout)
    """
}
