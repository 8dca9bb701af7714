import Foundation
import Moho

/// What a page shows of one episode next to the list.
public struct EpisodeDetails: MappedModel, Hashable {
  /// The ID of the row.
  public var id: Int64
  /// The identifier in the feed.
  public var episode: String
  /// The beginning of the title; empty without one.
  public var title: String
  /// The title of the podcast.
  public var podcast: String
  /// Who may listen.
  public var kind: Episode.Kind
  /// The date of publication.
  public var publishedAt: Date?
  /// The length in seconds.
  public var duration: Double?
  /// Whether the user has listened to the episode.
  public var isPlayed: Bool
  /// The web page.
  public var url: URL?
  /// The picture of the episode or of its podcast.
  public var imageURL: URL?
  /// The recording.
  public var audioURL: URL?
  /// Where the user stopped listening, in seconds.
  public var position: Double?
  /// The chapters of the recording.
  public var chapters: [Chapter]?
  /// True if another document has the chapters.
  public var hasChapterDocument: Bool?
  /// The show notes.
  public var notes: [NotesNode]

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Details", EpisodeDetails.init,
    .key("id", \.id, .rowID), .key("episode", \.episode), .key("title", \.title),
    .key("podcast", \.podcast),
    .key("kind", \.kind), .key("publishedAt", \.publishedAt), .key("duration", \.duration),
    .key("isPlayed", \.isPlayed), .key("url", \.url), .key("imageURL", \.imageURL),
    .key("audioURL", \.audioURL), .key("position", \.position), .key("chapters", \.chapters),
    .key("hasChapterDocument", \.hasChapterDocument), .key("notes", \.notes))
}

extension EpisodeDetails {
  /// Reads the details of an episode.
  ///
  /// - Throws: ``PageError`` if it was deleted.
  init(of rowID: Int64, _ reader: StoreReader) throws {
    let episode = try reader.episode(rowID)
    let summary = PageRow.Summary(episode)
    let position = try reader.fetchFirst(PlayingPosition.request(episode))?.seconds
    let podcast = ModelRequest<FeedSubscription>().filter { $0.podcast == episode.podcast }
    let pictures = [episode.imageURL, try reader.fetchFirst(podcast)?.imageURL]
    let chapters = episode.chapters.map(Chapter.shown)
    self.init(
      id: rowID, episode: episode.id, title: summary.title, podcast: episode.podcast,
      kind: episode.kind,
      publishedAt: episode.publishedAt, duration: episode.duration, isPlayed: episode.isPlayed,
      url: summary.url, imageURL: pictures.lazy.compactMap { $0.flatMap(PageRow.webAddress) }.first,
      audioURL: episode.audioURL.flatMap(PageRow.webAddress), position: position,
      chapters: chapters,
      hasChapterDocument: chapters?.isEmpty ?? true && episode.chaptersURL != nil ? true : nil,
      notes: NotesNode.notes(of: episode))
  }
}

/// The chapters of an episode.
public struct ChaptersMessage: MappedModel, Hashable {
  /// The chapters in order.
  public var chapters: [Chapter]

  /// The keys of the JSON form.
  public static let mapping = Mapping(
    "Chapters", ChaptersMessage.init, .key("chapters", \.chapters))
}

extension ChaptersMessage {
  /// Fetches the chapters of an episode from its document. Chapters that cannot be
  /// read are left out.
  ///
  /// - Throws: ``FetchError``, and ``PageError`` if the document has no chapters.
  init(of episode: Episode, _ fetcher: FeedFetcher = FeedFetcher()) async throws {
    var fetcher = fetcher
    fetcher.limits.bytes = 1 << 20
    guard let url = episode.chaptersURL, let document = try await fetcher.fetch(url).document else {
      throw PageError(.notFound, "the episode has no chapters")
    }
    do {
      let found = try JSONAdapter<ChapterDocumentItem>()
        .lossyModels(from: document.data, at: "chapters")
      chapters = Chapter.shown(found.models.filter(\.isListed).map(\.chapter))
    } catch {
      throw PageError(.fetchFailed, "the document has no chapters")
    }
  }
}

/// A chapter of a chapter document. A malformed address is left out; other invalid
/// values leave out the chapter.
private struct ChapterDocumentItem: MappedModel {
  var start: Double
  var title: String?
  var url: String?
  /// False for chapters that only change the picture.
  var isListed: Bool

  static let mapping = Mapping(
    "Chapter", ChapterDocumentItem.init,
    .key("start", \.start, json: "startTime"), .key("title", \.title), .key("url", \.url),
    .key("isListed", \.isListed, json: "toc", default: true))

  var chapter: Chapter { Chapter(start: start, title: title, url: url.flatMap { URL(string: $0) }) }
}

extension Chapter {
  private static let limit = 1_000
  private static let titleLimit = 500

  /// The chapters as a page shows them: in order, with short titles and with
  /// addresses of web pages.
  fileprivate static func shown(_ chapters: [Chapter]) -> [Chapter] {
    chapters.filter { $0.start >= 0 }.sorted { $0.start < $1.start }.prefix(limit).map { chapter in
      Chapter(
        start: chapter.start,
        title: chapter.title.map { String($0.unicodeScalars.prefix(titleLimit)) },
        url: chapter.url.flatMap(PageRow.webAddress))
    }
  }
}

extension StoreReader {
  /// The episode in a row.
  ///
  /// - Throws: ``PageError`` if it was deleted.
  func episode(_ rowID: Int64) throws -> Episode {
    let request = ModelRequest<Episode>().filter { $0.isRow(identity: rowID) }
    guard let episode = try fetchFirst(request) else {
      throw PageError(.notFound, "the episode was deleted")
    }
    return episode
  }
}
