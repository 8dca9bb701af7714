import Foundation

/// A timeline as JSON: nested objects, many members without a mapped key,
/// escapes, and non-Latin text.
enum TimelineText {
  static func posts(_ count: Int) -> Data {
    var text = "["
    for number in 0..<count {
      if number > 0 { text += ",\n" }
      text += post(number, isWhole: true)
    }
    return Data((text + "]").utf8)
  }

  private static func post(_ number: Int, isWhole: Bool) -> String {
    let reply = number % 3 == 0 ? "\(700_000_000_000_000_000 + number * 31)" : "null"
    let inside =
      isWhole && number % 2 == 0 ? #","reposted_status":\#(post(number + 7, isWhole: false))"# : ""
    return #"""
      {"metadata":{"result_type":"recent","iso_language_code":"\#(number % 4 == 0 ? "ja" : "en")"},"created_at":"2026-\#(two(number % 12 + 1))-\#(two(number % 28 + 1))T\#(two(number % 24)):\#(two(number % 60)):09Z","id":\#(505_874_924_095_815_700 + number * 17),"id_str":"\#(505_874_924_095_815_700 + number * 17)","text":"\#(words(number))","source":"<a href=\"https:\/\/client.example.com\/download\" rel=\"nofollow\">A Client for Phones<\/a>","truncated":false,"in_reply_to_status_id":\#(reply),"in_reply_to_status_id_str":null,"in_reply_to_user_id":null,"in_reply_to_user_id_str":null,"in_reply_to_screen_name":null,"user":\#(user(number)),"geo":null,"coordinates":null,"place":null,"contributors":null\#(inside),"repost_count":\#(number % 977),"favorite_count":\#(number % 503),"entities":{"hashtags":[\#(tags(number))],"symbols":[],"urls":[{"url":"http:\/\/u.example.com\/\#(number)","expanded_url":"http:\/\/blog.example.com\/articles\/\#(number).html","display_url":"blog.example.com\/articles…","indices":[33,55]}],"user_mentions":[{"screen_name":"rock_\#(number % 100)","name":"\#(name(number + 1))","id":\#(186_286_000 + number),"id_str":"\#(186_286_000 + number)","indices":[3,14]}]},"favorited":false,"reposted":false,"possibly_sensitive":\#(number % 10 == 0),"lang":"\#(number % 4 == 0 ? "ja" : "en")"}
      """#
  }

  private static func user(_ number: Int) -> String {
    let id = 903_487_800 + number % 5_000
    return #"""
      {"id":\#(id),"id_str":"\#(id)","name":"\#(name(number))","screen_name":"geologist_\#(number % 5_000)","location":"\#(number % 3 == 0 ? "東京, 日本" : "Zagreb")","description":"\#(words(number / 2))","url":"http:\/\/u.example.com\/a\#(number)","entities":{"url":{"urls":[{"url":"http:\/\/u.example.com\/a\#(number)","expanded_url":"http:\/\/example.com\/","display_url":"example.com","indices":[0,22]}]},"description":{"urls":[]}},"protected":false,"followers_count":\#(number % 9_973),"friends_count":\#(number % 1_009),"listed_count":\#(number % 53),"created_at":"Sat Feb 01 09:48:11 +0000 2014","favourites_count":\#(number % 2_003),"utc_offset":32400,"time_zone":"Zagreb","geo_enabled":\#(number % 2 == 0),"verified":false,"statuses_count":\#(number % 30_011),"lang":"ja","contributors_enabled":false,"is_translator":false,"is_translation_enabled":false,"profile_background_color":"C0DEED","profile_background_image_url":"http:\/\/abs.example.com\/images\/themes\/theme1\/bg.png","profile_background_image_url_https":"https:\/\/abs.example.com\/images\/themes\/theme1\/bg.png","profile_background_tile":false,"profile_image_url":"http:\/\/pbs.example.com\/profile_images\/\#(id)\/normal.jpeg","profile_image_url_https":"https:\/\/pbs.example.com\/profile_images\/\#(id)\/normal.jpeg","profile_banner_url":"https:\/\/pbs.example.com\/profile_banners\/\#(id)\/1400000000","profile_link_color":"0084B4","profile_sidebar_border_color":"C0DEED","profile_sidebar_fill_color":"DDEEF6","profile_text_color":"333333","profile_use_background_image":true,"default_profile":true,"default_profile_image":false,"following":false,"follow_request_sent":false,"notifications":false}
      """#
  }

  private static func tags(_ number: Int) -> String {
    (0..<(number % 3)).map { #"{"text":"mantle\#($0)","indices":[\#($0 * 10),\#($0 * 10 + 8)]}"# }
      .joined(separator: ",")
  }

  private static func name(_ number: Int) -> String {
    number % 4 == 0 ? "地球の人 \(number % 100)" : "Andrija \(number % 100)"
  }

  private static func words(_ number: Int) -> String {
    number % 4 == 0
      ? "@rock_\(number) マントルは何でできているか、\\n岩石の話を聞く \\u2026 http:\\/\\/u.example.com\\/\(number)"
      : "RT @rock_\(number): what the mantle is made of, \\\"seen\\\" from all sides &amp; from"
        + " below http:\\/\\/u.example.com\\/\(number)"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
