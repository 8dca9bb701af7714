import MohoMapping

extension CodableMicroblogStatus {
  var model: MicroblogStatus {
    MicroblogStatus(
      server: MicroblogDocument.server, id: id, createdAt: createdAt, editedAt: editedAt,
      replyID: replyID, content: content, warning: warning, isSensitive: isSensitive,
      visibility: visibility, language: language, uri: uri, url: url,
      counts: MicroblogCounts(
        replies: counts.replies, boosts: counts.boosts, favorites: counts.favorites),
      isBookmarked: isBookmarked, author: author.model, boost: boost?.model,
      attachments: attachments.map(\.model),
      mentions: mentions.map {
        MicroblogMention(id: $0.id, name: $0.name, handle: $0.handle, url: $0.url)
      },
      tags: tags.map { MicroblogTag(name: $0.name, url: $0.url) },
      emojis: emojis.map { MicroblogEmoji(code: $0.code, url: $0.url) },
      card: card.map {
        MicroblogCard(
          url: $0.url, title: $0.title, description: $0.description, type: $0.type,
          image: $0.image)
      },
      poll: poll?.model, others: CodableJSON.object(others).model)
  }
}

extension CodableMicroblogAccount {
  fileprivate var model: MicroblogAccount {
    MicroblogAccount(
      server: MicroblogDocument.server, id: id, name: name, handle: handle,
      displayName: displayName, isLocked: isLocked, isBot: isBot, createdAt: createdAt, note: note,
      url: url, avatar: avatar, header: header, followers: followers, following: following,
      statuses: statuses, isDiscoverable: isDiscoverable,
      fields: fields.map {
        MicroblogField(name: $0.name, value: $0.value, verifiedAt: $0.verifiedAt)
      })
  }
}

extension CodableMicroblogPoll {
  fileprivate var model: MicroblogPoll {
    MicroblogPoll(
      server: MicroblogDocument.server, id: id, expiresAt: expiresAt, isMultiple: isMultiple,
      votes: votes, options: options.map { MicroblogOption(title: $0.title, votes: $0.votes) })
  }
}

extension CodableMicroblogAttachment {
  fileprivate var model: MicroblogAttachment {
    switch self {
    case .image(let file, let meta):
      .image(
        MicroblogImage(file: file.model, size: meta?.original?.model, focus: meta?.focus))
    case .video(let file, let meta): .video(Self.clip(file, meta))
    case .animation(let file, let meta): .animation(Self.clip(file, meta))
    case .audio(let file, let meta):
      .audio(
        MicroblogSound(
          file: file.model, duration: meta?.original?.duration, bitrate: meta?.original?.bitrate))
    case .other(let type, let members): .other(type, CodableJSON.object(members).model)
    }
  }

  private static func clip(_ file: CodableMicroblogFile, _ meta: Clip?) -> MicroblogClip {
    MicroblogClip(
      file: file.model, size: meta?.small?.model, duration: meta?.original?.duration)
  }
}

extension CodableMicroblogFile {
  fileprivate var model: MicroblogFile {
    MicroblogFile(
      id: id, url: url, preview: preview, description: description, blurhash: blurhash)
  }
}

extension CodableMicroblogSize {
  fileprivate var model: MicroblogSize { MicroblogSize(width: width, height: height) }
}

extension CodableJSON {
  fileprivate var model: JSONValue {
    switch self {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .integer(let integer): .integer(Int64(integer))
    case .number(let number): .number(number)
    case .string(let string): .string(string)
    case .array(let array): .array(array.map(\.model))
    case .object(let object): .object(object.map { JSONValue.Member($0.key, $0.value.model) })
    }
  }
}
