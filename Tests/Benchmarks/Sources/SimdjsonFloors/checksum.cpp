#include "SimdjsonFloors.h"
#include "statuses.hpp"

#include <CFloors.h>
#include <cmath>
#include <simdjson.h>

namespace dom = simdjson::dom;

namespace {

/// Computes the same sums as `MicroblogStatus.checksum`. The overloads use each other.
struct checksum {
  static int64_t sum(const text &text) { return (int64_t)text.size(); }
  static int64_t sum(bool flag) { return flag; }
  static int64_t sum(int64_t number) { return number; }

  /// Rounds a number to thousandths.
  static int64_t sum(double number) {
    return std::fabs(number) < 1e15 ? std::llround(number * 1000) : 0;
  }

  static int64_t sum(date date) { return sum(date.seconds + 978307200); }

  static int64_t sum(const dom::element &value) {
    int64_t result = 0;
    switch (value.type()) {
    case dom::element_type::NULL_VALUE:
      return 1;
    case dom::element_type::BOOL:
      return sum(bool(value)) + 1;
    case dom::element_type::STRING:
      return (int64_t)std::string_view(value).size();
    case dom::element_type::ARRAY:
      for (dom::element element : dom::array(value)) {
        result += sum(element) + 1;
      }
      return result;
    case dom::element_type::OBJECT:
      for (dom::key_value_pair member : dom::object(value)) {
        result += (int64_t)member.key.size() + sum(member.value);
      }
      return result;
    default:
      return sum(double(value));
    }
  }

  static int64_t sum(const members &members) {
    dom::parser parser;
    int64_t result = 0;
    for (const auto &[name, json] : members) {
      result += sum(name) + sum(parser.parse(json).value());
    }
    return result;
  }

  template <class Value> static int64_t sum(const std::optional<Value> &value) {
    return value ? sum(*value) : 0;
  }

  template <class Value> static int64_t sum(const std::unique_ptr<Value> &value) {
    return value ? sum(*value) : 0;
  }

  template <class Value> static int64_t sum(const std::vector<Value> &values) {
    int64_t result = 0;
    for (const Value &value : values) {
      result += sum(value);
    }
    return result;
  }

  template <class... Value> static int64_t sum_of(const Value &...values) {
    return (sum(values) + ...);
  }

  /// The length of the scheme. Foundation encodes other parts of a URL.
  static int64_t scheme(const text &url) {
    size_t end = url.find(':');
    return end == text::npos ? 0 : (int64_t)end;
  }

  static int64_t sum(const profile_field &field) {
    return sum_of(field.name, field.value, field.verified_at);
  }

  static int64_t sum(const account &account) {
    return sum_of(account.id, account.name, account.handle, account.display_name, account.is_locked,
                  account.is_bot, account.created_at, account.note, account.avatar, account.header,
                  account.followers, account.following, account.statuses, account.is_discoverable,
                  account.fields) +
           scheme(account.url);
  }

  static int64_t sum(const media_file &file) {
    return sum_of(file.id, file.url, file.preview, file.description, file.blurhash);
  }

  static int64_t sum(const media_size &size) { return size.width + size.height; }

  static int64_t sum(const std::pair<text, double> &number) {
    return sum_of(number.first, number.second);
  }

  static int64_t sum(const image &image) { return sum_of(image.file, image.size, image.focus); }
  static int64_t sum(const clip &clip) { return sum_of(clip.file, clip.size, clip.duration); }

  static int64_t sum(const sound &sound) {
    return sum_of(sound.file, sound.duration, sound.bitrate);
  }

  static int64_t sum(const other_attachment &other) { return sum_of(other.type, other.others); }

  /// Adds a different number for each type.
  static int64_t sum(const attachment &attachment) {
    return std::visit([](const auto &part) { return sum(part); }, attachment) +
           (int64_t)attachment.index();
  }

  static int64_t sum(const mention &mention) {
    return sum_of(mention.id, mention.name, mention.handle) + scheme(mention.url);
  }

  static int64_t sum(const tag &tag) { return sum(tag.name) + scheme(tag.url); }
  static int64_t sum(const emoji &emoji) { return sum(emoji.code) + scheme(emoji.url); }

  static int64_t sum(const card &card) {
    return sum_of(card.url, card.title, card.description, card.type, card.image);
  }

  static int64_t sum(const poll_option &option) { return sum_of(option.title, option.votes); }

  static int64_t sum(const poll &poll) {
    return sum_of(poll.id, poll.expires_at, poll.is_multiple, poll.votes, poll.options);
  }

  static int64_t sum(const status &status) {
    return sum_of(status.id, status.created_at, status.edited_at, status.reply_id, status.content,
                  status.warning, status.is_sensitive, status.visibility, status.language,
                  status.uri, status.replies, status.boosts, status.favorites,
                  status.is_bookmarked, status.author, status.boost, status.attachments,
                  status.mentions, status.tags, status.emojis, status.card, status.poll,
                  status.others) +
           (status.url ? scheme(*status.url) : 0);
  }
};

} // namespace

int64_t floor_statuses_checksum(const floor_statuses *statuses) {
  try {
    return checksum::sum(statuses->elements);
  } catch (const std::exception &error) {
    floor_record_failure(error.what());
    return -1;
  }
}
