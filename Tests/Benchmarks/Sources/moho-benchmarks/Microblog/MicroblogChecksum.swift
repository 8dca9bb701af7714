import Foundation

/// A number that depends on many values of a status, with its boost. The order
/// of tags does not matter.
extension MicroblogStatus {
  var checksum: Int {
    var sum = counts.favorites + content.utf8.count + Int(createdAt.timeIntervalSince1970)
    sum += author.name.utf8.count + author.displayName.utf8.count + mentions.count
    sum += (language?.utf8.count ?? 0) + emojis.count + (card?.title.utf8.count ?? 0)
    sum += attachments.reduce(0) { $0 + $1.checksum } + (poll?.votes ?? 0)
    sum += tags.reduce(0) { $0 + $1.name.utf8.count } + (isBookmarked == true ? 1 : 0)
    return sum + (boost?.checksum ?? 0)
  }
}

extension CodableMicroblogStatus {
  var checksum: Int {
    var sum = counts.favorites + content.utf8.count + Int(createdAt.timeIntervalSince1970)
    sum += author.name.utf8.count + author.displayName.utf8.count + mentions.count
    sum += (language?.utf8.count ?? 0) + emojis.count + (card?.title.utf8.count ?? 0)
    sum += attachments.reduce(0) { $0 + $1.checksum } + (poll?.votes ?? 0)
    sum += tags.reduce(0) { $0 + $1.name.utf8.count } + (isBookmarked == true ? 1 : 0)
    return sum + (boost?.checksum ?? 0)
  }
}

extension [MicroblogStatus] {
  var checksum: Double { Double(reduce(0) { $0 + $1.checksum }) }
}

extension [CodableMicroblogStatus] {
  var checksum: Double { Double(reduce(0) { $0 + $1.checksum }) }
}
