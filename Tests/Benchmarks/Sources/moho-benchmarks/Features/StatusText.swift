import MohoTesting

/// Writes random statuses as JSON.
struct StatusText {
  /// The number of different accounts. The name and the address of an account
  /// are the same in all statuses.
  let accounts: Int
  /// Whether there are attachments of all types, boosts and emojis, and every
  /// account is the same in all statuses.
  let isVaried: Bool
  var random: SeededGenerator
  /// The accounts of varied statuses.
  private var cachedAccounts: [Int: String] = [:]

  init(accounts: Int, seed: UInt64, isVaried: Bool = false) {
    self.accounts = accounts
    self.isVaried = isVaried
    random = SeededGenerator(seed: seed)
  }

  /// Returns a status, which can contain another one. One in eight was edited; the others do not have the
  /// member `edited_at`.
  mutating func status(_ number: Int, favorites: Int, boost: String = "null") -> String {
    let id = "\(113_000_000_000_000_000 + number * 4_096 + random.below(4_096))"
    let account = random.below(accounts)
    let handle = Self.handle(account)
    let edit = random.oneIn(8) ? #""edited_at":"\#(date())","# : ""
    let reply = random.oneIn(3) ? #""\#(112_000_000_000_000_000 + random.below(1 << 40))""# : nil
    let application = #""application":{"name":"Web","website":null},"#
    return #"""
      {"id":"\#(id)","created_at":"\#(date())",\#(edit)"in_reply_to_id":\#(reply ?? "null"),\#
      "in_reply_to_account_id":\#(reply == nil ? "null" : "\"\(random.below(100_000))\""),\#
      "sensitive":\#(random.oneIn(10)),"spoiler_text":"\#(random.oneIn(10) ? words(4) : "")",\#
      "visibility":"\#(random.oneIn(5) ? "unlisted" : "public")",\#
      "language":\#(random.oneIn(6) ? "null" : "\"en\""),\#
      "uri":"https://social.example.com/users/\#(handle)/statuses/\#(id)",\#
      "url":"https://social.example.com/@\#(handle)/\#(id)",\#
      "replies_count":\#(random.below(40)),"reblogs_count":\#(random.below(900)),\#
      "favourites_count":\#(favorites),"quotes_count":\#(random.below(5)),"favourited":false,\#
      "reblogged":false,"muted":false,"bookmarked":\#(random.oneIn(20)),\#
      "content":"\#(content())","filtered":[],"reblog":\#(boost),\#
      \#(random.oneIn(2) ? application : "")"account":\#(author(account)),\#
      "media_attachments":[\#(list(4) { $0.attachment() })],\#
      "mentions":[\#(list(3) { $0.mention() })],"tags":[\#(list(5) { $0.tag() })],\#
      "emojis":[\#(isVaried ? list(2) { $0.emoji() } : "")],"quote":null,"card":\#(random.oneIn(3) ? card() : "null"),\#
      "poll":\#(random.oneIn(6) ? poll(of: number) : "null")}
      """#
  }

  /// Returns an account, which is the same in all varied statuses.
  private mutating func author(_ number: Int) -> String {
    guard isVaried else { return account(number) }
    if let account = cachedAccounts[number] { return account }
    let account = account(number)
    cachedAccounts[number] = account
    return account
  }

  /// The HTML of a status, with escaped quotation marks.
  private mutating func content() -> String {
    let link = "stories.example.org/2026/\(random.below(12) + 1)/\(random.below(100_000))"
    let anchor = #"""
      <p><a href=\"https://\#(link)\" rel=\"nofollow noopener noreferrer\" target=\"_blank\">\#
      <span class=\"invisible\">https://</span><span class=\"ellipsis\">\#(link)</span></a></p>
      """#
    let last = random.oneIn(4) ? "<p>東京の岩石 — „Gestein“ &amp; Muße 🌋</p>" : ""
    return "<p>&quot;\(words(30 + random.below(80)))&quot;</p>" + last
      + (random.oneIn(2) ? anchor : "")
  }

  /// Returns fewer elements than a limit, separated by commas.
  private mutating func list(_ limit: Int, _ element: (inout Self) -> String) -> String {
    var elements: [String] = []
    for _ in 0..<random.below(limit) { elements.append(element(&self)) }
    return elements.joined(separator: ",")
  }

  static func handle(_ account: Int) -> String { "geologist_\(account)" }

  mutating func words(_ count: Int) -> String {
    var words: [String] = []
    for _ in 0..<count { words.append(Self.vocabulary[random.below(Self.vocabulary.count)]) }
    return words.joined(separator: " ")
  }

  private static let vocabulary = [
    "mantle", "crust", "of", "the", "a", "basalt", "seen", "from", "below", "with", "granite",
    "map", "fault", "and", "wave", "in", "Müller", "plate", "slow", "rock", "is", "olivine",
  ]

  /// A time in 2026, with milliseconds.
  mutating func date() -> String {
    func padded(_ number: Int, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: width - digits.count) + digits
    }
    let day = "2026-\(padded(random.below(12) + 1))-\(padded(random.below(28) + 1))"
    let time = [24, 60, 60].map { padded(random.below($0)) }.joined(separator: ":")
    return "\(day)T\(time).\(padded(random.below(1_000), 3))Z"
  }
}
