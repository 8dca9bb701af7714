import MohoTesting

extension StatusText {
  mutating func attachment() -> String {
    switch isVaried ? random.below(8) : 0 {
    case 0...3: image()
    case 4: clip("video", "mp4")
    case 5: clip("gifv", "mp4")
    case 6: sound()
    default: unknownAttachment()
    }
  }

  private mutating func image() -> String {
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

  private mutating func clip(_ type: String, _ suffix: String) -> String {
    let (id, file) = mediaFile()
    let (width, height) = (random.below(1_200) + 400, random.below(1_200) + 400)
    let size = #""width":\#(width),"height":\#(height)"#
    let seconds = Double(random.below(6_000)) / 8
    return #"""
      {"id":"\#(id)","type":"\#(type)","url":"\#(file)/original/dab9a597f68b9745.\#(suffix)",\#
      "preview_url":"\#(file)/small/dab9a597f68b9745.png","remote_url":null,"text_url":null,\#
      "meta":{"length":"0:01:28.65","duration":\#(seconds),"fps":24,"size":"\#(width)x\#(height)",\#
      \#(size),"original":{\#(size),"frame_rate":"24/1","duration":\#(seconds),\#
      "bitrate":862056},"small":{"width":400,"height":225,"size":"400x225","aspect":1.777}},\#
      "description":null,"blurhash":"U58E0g8_0M.94T?bIr00?bD%NGoM?bD%oLt7"}
      """#
  }

  private mutating func sound() -> String {
    let (id, file) = mediaFile()
    let seconds = Double(random.below(6_000)) / 8
    return #"""
      {"id":"\#(id)","type":"audio","url":"\#(file)/original/a31a4a46cd713cd2.mp3",\#
      "preview_url":null,"remote_url":null,"text_url":null,"meta":{"length":"0:06:42.86",\#
      "duration":\#(seconds),"audio_encode":"mp3","original":{"duration":\#(seconds),\#
      "bitrate":166290}},"description":"\#(words(6))","blurhash":null}
      """#
  }

  private mutating func unknownAttachment() -> String {
    let (id, file) = mediaFile()
    return #"""
      {"id":"\#(id)","type":"unknown","url":"\#(file)/original/file","preview_url":null,\#
      "remote_url":"https://remote.example.org/\#(id)","meta":null,"description":null}
      """#
  }

  private mutating func mediaFile() -> (id: Int, url: String) {
    let id = 22_000_000 + random.below(1_000_000)
    return (id, "https://files.example.com/media_attachments/files/\(id)")
  }

  mutating func emoji() -> String {
    let code = "blob_\(random.below(300))"
    let file = "https://files.example.com/custom_emojis/\(code)"
    return #"""
      {"shortcode":"\#(code)","url":"\#(file).png","static_url":"\#(file)_static.png",\#
      "visible_in_picker":true}
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

  /// - Parameter number: The number of the status.
  mutating func poll(of number: Int) -> String {
    let votes = (random.below(300), random.below(300))
    return #"""
      {"id":"\#(700_000 + number)","expires_at":"\#(date())","expired":true,\#
      "multiple":false,"votes_count":\#(votes.0 + votes.1),"voters_count":null,"voted":false,\#
      "own_votes":[],"options":[{"title":"accept","votes_count":\#(votes.0)},\#
      {"title":"deny","votes_count":\#(votes.1)}],"emojis":[]}
      """#
  }
}
