import Foundation

/// An item of the screencast's feed.
struct ScreencastItem {
  var number: Int
  var title: String
  var type = "free"
  var date: String

  var json: String {
    """
    {"episode":{"id":\(number + 900),"episode_number":\(number),"title":"\(title)",\
    "description":"About \(number)","episode_type":"\(type)","published_at":"\(date)",\
    "thumbnail_url":"https://example.com/\(number).png"}}
    """
  }

  /// Three recorded items of the feed, newest first.
  static let three = [
    ScreencastItem(number: 115, title: "Models", date: "2014-04-10T08:00:00+0000"),
    ScreencastItem(number: 114, title: "Maps", type: "paid", date: "2014-04-03T04:00:00-0400"),
    ScreencastItem(number: 113, title: "Rows", date: "2014-03-27T08:00:00Z"),
  ]
}

extension [ScreencastItem] {
  var data: Data { Data("[\(map(\.json).joined(separator: ",\n"))]".utf8) }
}
