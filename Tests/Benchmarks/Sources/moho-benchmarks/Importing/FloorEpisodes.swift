import CFloors
import Foundation

/// Episodes as C structs with pointers to their texts.
final class FloorEpisodes {
  private let texts: UnsafeMutableBufferPointer<CChar>
  private let rows: [floor_episode]

  // SAFETY: The rows point into `texts`. The initializer fills `texts` before
  // it creates the rows, and `deinit` frees it. Only `withRows` exposes the
  // pointers.
  init(_ models: [FeedEpisode]) {
    func texts(of model: FeedEpisode) -> [String] {
      [model.guid, model.title, model.summary, model.author, model.mediaURL]
    }
    let count = models.reduce(0) { $0 + texts(of: $1).reduce(0) { $0 + $1.utf8.count } }
    let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: max(1, count))
    buffer.initialize(repeating: 0)
    self.texts = buffer
    var end = 0
    rows = models.map { model in
      let slices = texts(of: model).map { text -> (start: UnsafePointer<CChar>?, count: Int32) in
        let start = end
        for byte in text.utf8 {
          buffer[end] = CChar(bitPattern: byte)
          end += 1
        }
        return (buffer.baseAddress.map { UnsafePointer($0 + start) }, Int32(end - start))
      }
      return floor_episode(
        id: Int64(model.id), number: Int64(model.number), season: Int64(model.season ?? 0),
        media_size: Int64(model.mediaSize), guid: slices[0].start, title: slices[1].start,
        summary: slices[2].start, author: slices[3].start, media_url: slices[4].start,
        guid_count: slices[0].count, title_count: slices[1].count,
        summary_count: slices[2].count, author_count: slices[3].count,
        media_url_count: slices[4].count,
        published_at: model.publishedAt.timeIntervalSinceReferenceDate,
        duration: model.duration, rating: model.rating, is_explicit: model.isExplicit,
        has_season: model.season != nil)
    }
  }

  deinit { texts.deallocate() }

  func withRows<Result>(_ body: (UnsafeBufferPointer<floor_episode>) -> Result) -> Result {
    rows.withUnsafeBufferPointer(body)
  }
}
