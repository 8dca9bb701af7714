import Foundation

/// A file of the page. The files are part of the program: no path of a request
/// reaches the file system.
public struct PageFile: Hashable, Sendable {
  /// The contents.
  public let data: Data
  /// The media type.
  public let type: String
  /// A tag that differs for different contents, with its quotes.
  public let tag: String

  /// The file at a path; nil if there is no file.
  public init?(path: String) {
    guard let file = Self.files[path] else { return nil }
    self = file
  }

  private init(_ bytes: [UInt8], _ type: String) {
    data = Data(bytes)
    self.type = "\(type); charset=utf-8"
    // FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    tag = "\"\(String(hash, radix: 16))\""
  }

  private static let files = [
    "/": PageFile(PackageResources.index_html, "text/html"),
    "/style.css": PageFile(PackageResources.style_css, "text/css"),
    "/activities.js": PageFile(PackageResources.activities_js, "text/javascript"),
    "/connection.js": PageFile(PackageResources.connection_js, "text/javascript"),
    "/details.js": PageFile(PackageResources.details_js, "text/javascript"),
    "/list.js": PageFile(PackageResources.list_js, "text/javascript"),
    "/look-ahead.js": PageFile(PackageResources.look_ahead_js, "text/javascript"),
    "/model.js": PageFile(PackageResources.model_js, "text/javascript"),
    "/news.js": PageFile(PackageResources.news_js, "text/javascript"),
    "/player.js": PageFile(PackageResources.player_js, "text/javascript"),
    "/row-menu.js": PageFile(PackageResources.row_menu_js, "text/javascript"),
    "/sidebar.js": PageFile(PackageResources.sidebar_js, "text/javascript"),
    "/streams.js": PageFile(PackageResources.streams_js, "text/javascript"),
    "/text.js": PageFile(PackageResources.text_js, "text/javascript"),
    "/title-editor.js": PageFile(PackageResources.title_editor_js, "text/javascript"),
    "/view.js": PageFile(PackageResources.view_js, "text/javascript"),
  ]
}
