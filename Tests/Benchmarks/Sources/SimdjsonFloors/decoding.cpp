#include "SimdjsonFloors.h"
#include "statuses.hpp"

#include <CFloors.h>
#include <cmath>
#include <cstring>
#include <simdjson.h>
#include <stdexcept>
#include <string_view>
#include <tuple>

namespace json = simdjson::ondemand;

namespace {

/// The property that a member of an object is decoded into.
template <class Property> struct key {
  std::string_view name;
  Property &property;

  key(std::string_view name, Property &property) : name(name), property(property) {}
};

/// The keys of an object whose values belong to the model that contains it.
template <class... Property> struct path {
  std::tuple<key<Property>...> keys;

  explicit path(key<Property>... keys) : keys(keys...) {}
};

/// Reads values into properties. The overloads use each other.
struct reader {
  static void read(json::value value, text &result) {
    std::string_view characters = value.get_string();
    result = characters;
  }

  static void read(json::value value, bool &result) { result = value.get_bool(); }
  static void read(json::value value, int64_t &result) { result = value.get_int64(); }
  static void read(json::value value, double &result) { result = value.get_double(); }

  static void read(json::value value, date &result) {
    std::string_view characters = value.get_string();
    result.seconds = floor_seconds_from_2001(characters.data(), characters.size());
    if (std::isnan(result.seconds)) {
      throw std::runtime_error("not a date: " + text(characters));
    }
  }

  template <class Value> static void read(json::value value, std::optional<Value> &result) {
    if (!value.is_null()) {
      read(value, result.emplace());
    }
  }

  template <class Value> static void read(json::value value, std::unique_ptr<Value> &result) {
    if (!value.is_null()) {
      result = std::make_unique<Value>();
      read(value, *result);
    }
  }

  template <class Value> static void read(json::value value, std::vector<Value> &result) {
    for (json::value element : value.get_array()) {
      read(element, result.emplace_back());
    }
  }

  static void read(json::value value, numbers &result) {
    for (json::field field : value.get_object()) {
      std::string_view name = field.unescaped_key();
      result.emplace_back(name, field.value().get_double());
    }
  }

  /// Reads the members that have keys, and the text of the others.
  template <class... Property>
  static void read_members(json::object object, members *others, key<Property>... keys) {
    for (json::field field : object) {
      const char *start = field.key().raw();
      std::string_view name(start, strchr(start, '"') - start);
      bool has_key = ((name == keys.name && (read(field.value(), keys.property), true)) || ...);
      if (!has_key && others != nullptr) {
        std::string_view unescaped = field.unescaped_key();
        std::string_view value = simdjson::to_json_string(field.value());
        others->emplace_back(unescaped, value);
      }
    }
  }

  /// Reads the members that have keys.
  template <class... Property>
  static void read_members(json::object object, key<Property>... keys) {
    read_members(object, nullptr, keys...);
  }

  template <class... Property> static void read(json::value value, path<Property...> &result) {
    if (!value.is_null()) {
      std::apply([&](auto... keys) { read_members(value.get_object(), keys...); }, result.keys);
    }
  }

  static void read(json::value value, profile_field &result) {
    read_members(value, key{"name", result.name}, key{"value", result.value},
                 key{"verified_at", result.verified_at});
  }

  static void read(json::value value, account &result) {
    read_members(value, key{"id", result.id}, key{"username", result.name},
                 key{"acct", result.handle}, key{"display_name", result.display_name},
                 key{"locked", result.is_locked}, key{"bot", result.is_bot},
                 key{"discoverable", result.is_discoverable},
                 key{"created_at", result.created_at}, key{"note", result.note},
                 key{"url", result.url}, key{"avatar", result.avatar},
                 key{"header", result.header}, key{"followers_count", result.followers},
                 key{"following_count", result.following},
                 key{"statuses_count", result.statuses}, key{"fields", result.fields});
  }

  /// Reads a file, and the members of the object that describes it.
  template <class... Property>
  static void read_file(json::object object, media_file &result, key<Property>... description) {
    path meta(description...);
    read_members(object, key{"id", result.id}, key{"url", result.url},
                 key{"preview_url", result.preview}, key{"meta", meta},
                 key{"description", result.description}, key{"blurhash", result.blurhash});
  }

  static void read(json::value value, media_size &result) {
    read_members(value, key{"width", result.width}, key{"height", result.height});
  }

  static void read(json::object object, image &result) {
    read_file(object, result.file, key{"original", result.size}, key{"focus", result.focus});
  }

  static void read(json::object object, clip &result) {
    path original(key{"duration", result.duration});
    read_file(object, result.file, key{"original", original}, key{"small", result.size});
  }

  static void read(json::object object, sound &result) {
    path original(key{"duration", result.duration}, key{"bitrate", result.bitrate});
    read_file(object, result.file, key{"original", original});
  }

  static void read(json::object object, other_attachment &result) {
    read_members(object, &result.others, key{"type", result.type});
  }

  static void read(json::value value, attachment &result) {
    json::object object = value.get_object();
    std::string_view type = object["type"].get_string();
    object.reset();
    if (type == "image") {
      read(object, result.emplace<image>());
    } else if (type == "video") {
      read(object, result.emplace<video>());
    } else if (type == "gifv") {
      read(object, result.emplace<animation>());
    } else if (type == "audio") {
      read(object, result.emplace<sound>());
    } else {
      read(object, result.emplace<other_attachment>());
    }
  }

  static void read(json::value value, mention &result) {
    read_members(value, key{"id", result.id}, key{"username", result.name},
                 key{"url", result.url}, key{"acct", result.handle});
  }

  static void read(json::value value, tag &result) {
    read_members(value, key{"name", result.name}, key{"url", result.url});
  }

  static void read(json::value value, emoji &result) {
    read_members(value, key{"shortcode", result.code}, key{"url", result.url});
  }

  static void read(json::value value, card &result) {
    read_members(value, key{"url", result.url}, key{"title", result.title},
                 key{"description", result.description}, key{"type", result.type},
                 key{"image", result.image});
  }

  static void read(json::value value, poll_option &result) {
    read_members(value, key{"title", result.title}, key{"votes_count", result.votes});
  }

  static void read(json::value value, poll &result) {
    read_members(value, key{"id", result.id}, key{"expires_at", result.expires_at},
                 key{"multiple", result.is_multiple}, key{"votes_count", result.votes},
                 key{"options", result.options});
  }

  static void read(json::value value, status &result) {
    read_members(
        value, &result.others, key{"id", result.id}, key{"created_at", result.created_at},
        key{"edited_at", result.edited_at}, key{"in_reply_to_id", result.reply_id},
        key{"sensitive", result.is_sensitive}, key{"spoiler_text", result.warning},
        key{"visibility", result.visibility}, key{"language", result.language},
        key{"uri", result.uri}, key{"url", result.url}, key{"replies_count", result.replies},
        key{"reblogs_count", result.boosts}, key{"favourites_count", result.favorites},
        key{"bookmarked", result.is_bookmarked}, key{"content", result.content},
        key{"reblog", result.boost}, key{"account", result.author},
        key{"media_attachments", result.attachments}, key{"mentions", result.mentions},
        key{"tags", result.tags}, key{"emojis", result.emojis}, key{"card", result.card},
        key{"poll", result.poll});
  }
};

} // namespace

const char *floor_simdjson_version() {
  static const text version = std::to_string(simdjson::SIMDJSON_VERSION_MAJOR) + "." +
                              std::to_string(simdjson::SIMDJSON_VERSION_MINOR) + "." +
                              std::to_string(simdjson::SIMDJSON_VERSION_REVISION);
  return version.c_str();
}

size_t floor_statuses_padding() { return simdjson::SIMDJSON_PADDING; }

floor_statuses *floor_statuses_decode(const char *bytes, size_t count) {
  try {
    json::parser parser;
    simdjson::padded_string_view padded(bytes, count, count + simdjson::SIMDJSON_PADDING);
    json::document document = parser.iterate(padded);
    auto result = std::make_unique<floor_statuses>();
    reader::read(document.get_value(), result->elements);
    return result.release();
  } catch (const std::exception &error) {
    floor_record_failure(error.what());
    return nullptr;
  }
}

void floor_statuses_free(floor_statuses *statuses) { delete statuses; }
