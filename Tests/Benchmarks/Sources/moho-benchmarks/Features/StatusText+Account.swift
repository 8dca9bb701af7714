import MohoTesting

extension StatusText {
  /// Returns an account with 26 members. Those that change with time differ
  /// between its statuses.
  mutating func account(_ number: Int) -> String {
    let handle = Self.handle(number)
    let files = "https://files.example.com/accounts"
    let avatar = "\(files)/avatars/109/\(number)/original/d96d39a0abb45b92.jpg"
    let header = "\(files)/headers/109/\(number)/original/c91b871f294ea63e.png"
    return #"""
      {"id":"\#(109_000_000 + number)","username":"\#(handle)","acct":"\#(handle)",\#
      "display_name":"Andrija \#(number) ⛰️","locked":false,"bot":\#(number % 50 == 0),\#
      "discoverable":\#(number % 3 == 0 ? "null" : "true"),"indexable":true,"group":false,\#
      "created_at":"2019-0\#(number % 9 + 1)-16T00:00:00.000Z","note":"<p>\#(words(50))</p>",\#
      "url":"https://social.example.com/@\#(handle)",\#
      "uri":"https://social.example.com/users/\#(handle)",\#
      "avatar":"\#(avatar)","avatar_static":"\#(avatar)",\#
      "header":"\#(header)","header_static":"\#(header)",\#
      "followers_count":\#(random.below(100_000)),"following_count":\#(random.below(2_000)),\#
      "statuses_count":\#(random.below(60_000)),"last_status_at":"2026-11-20",\#
      "hide_collections":null,"noindex":false,"emojis":[],"roles":[],\#
      "fields":[\#(field("Homepage", number)),\#(field("Code", number))]}
      """#
  }

  private mutating func field(_ name: String, _ account: Int) -> String {
    let verification = random.oneIn(2) ? #""\#(date())""# : "null"
    return #"""
      {"name":"\#(name)","value":"<a href=\"https://pages.example.org/\#(account)\" \#
      rel=\"me nofollow noopener noreferrer\" target=\"_blank\">\#
      pages.example.org/\#(account)</a>","verified_at":\#(verification)}
      """#
  }
}
