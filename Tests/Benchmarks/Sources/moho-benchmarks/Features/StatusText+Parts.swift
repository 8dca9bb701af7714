import MohoTesting

extension StatusText {
  mutating func attachment() -> String {
    let id = 22_000_000 + random.below(1_000_000)
    let file = "https://files.example.com/media_attachments/files/\(id)"
    let (width, height) = (random.below(1_200) + 400, random.below(1_200) + 400)
    let size = #""width":\#(width),"height":\#(height),"size":"\#(width)x\#(height)""#
    let aspect = #""aspect":\#(Double(width) / Double(height))"#
    let description = random.oneIn(3) ? "null" : #""\#(words(12))""#
    return #"""
      {"id":"\#(id)","type":"image","url":"\#(file)/original/57859aede991da25.jpeg",\#
      "preview_url":"\#(file)/small/57859aede991da25.jpeg","remote_url":null,"text_url":null,\#
      "meta":{"original":{\#(size),\#(aspect)},"small":{"width":480,"height":480,\#
      "size":"480x480","aspect":1.0},"focus":{"x":-0.27,"y":0.51}},\#
      "description":\#(description),"blurhash":"UFBWY:8_0Jxv4mx]t8t64.%M-:IUWGWAt6M}"}
      """#
  }

  mutating func mention() -> String {
    let account = random.below(accounts)
    let handle = Self.handle(account)
    return #"""
      {"id":"\#(109_000_000 + account)","username":"\#(handle)",\#
      "url":"https://social.example.com/@\#(handle)","acct":"\#(handle)"}
      """#
  }

  mutating func tag() -> String {
    let name = "rock\(random.below(500))"
    return #"{"name":"\#(name)","url":"https://social.example.com/tags/\#(name)"}"#
  }

  mutating func card() -> String {
    let image = "https://files.example.com/cards/images/\(random.below(1_000_000)).jpg"
    return #"""
      {"url":"https://stories.example.org/\#(random.below(100_000))","title":"\#(words(8))",\#
      "description":"\#(words(20))","language":"en","type":"link","author_name":"",\#
      "author_url":"","provider_name":"Stories","provider_url":"","html":"","width":1200,\#
      "height":630,"image":"\#(image)","image_description":"","embed_url":"",\#
      "blurhash":"UJEfG_n#02R+ofRjWBxu4:kDxtobWAs;s;Ri","published_at":null}
      """#
  }

  mutating func poll() -> String {
    let votes = (random.below(300), random.below(300))
    return #"""
      {"id":"\#(random.below(100_000))","expires_at":"\#(date())","expired":true,\#
      "multiple":false,"votes_count":\#(votes.0 + votes.1),"voters_count":null,"voted":false,\#
      "own_votes":[],"options":[{"title":"accept","votes_count":\#(votes.0)},\#
      {"title":"deny","votes_count":\#(votes.1)}],"emojis":[]}
      """#
  }
}
