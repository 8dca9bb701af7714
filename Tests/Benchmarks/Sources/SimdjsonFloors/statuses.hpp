#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using text = std::string;

/// A time in seconds since 2001.
struct date {
  double seconds = 0;
};

/// Members by name as JSON text, in the order of the document.
using members = std::vector<std::pair<text, text>>;

using numbers = std::vector<std::pair<text, double>>;

struct profile_field {
  text name, value;
  std::optional<date> verified_at;
};

struct account {
  text id, name, handle, display_name;
  bool is_locked = false, is_bot = false;
  date created_at;
  text note, url, avatar, header;
  int64_t followers = 0, following = 0, statuses = 0;
  std::optional<bool> is_discoverable;
  std::vector<profile_field> fields;
};

struct media_file {
  text id, url;
  std::optional<text> preview, description, blurhash;
};

struct media_size {
  int64_t width = 0, height = 0;
};

struct image {
  media_file file;
  std::optional<media_size> size;
  std::optional<numbers> focus;
};

struct clip {
  media_file file;
  std::optional<media_size> size;
  std::optional<double> duration;
};

struct video : clip {};
struct animation : clip {};

struct sound {
  media_file file;
  std::optional<double> duration;
  std::optional<int64_t> bitrate;
};

struct other_attachment {
  text type;
  members others;
};

using attachment = std::variant<image, video, animation, sound, other_attachment>;

struct mention {
  text id, name, handle, url;
};

struct tag {
  text name, url;
};

struct emoji {
  text code, url;
};

struct card {
  text url, title, description, type;
  std::optional<text> image;
};

struct poll_option {
  text title;
  std::optional<int64_t> votes;
};

struct poll {
  text id;
  std::optional<date> expires_at;
  bool is_multiple = false;
  int64_t votes = 0;
  std::vector<poll_option> options;
};

struct status {
  text id;
  date created_at;
  std::optional<date> edited_at;
  std::optional<text> reply_id;
  text content, warning;
  bool is_sensitive = false;
  text visibility;
  std::optional<text> language;
  text uri;
  std::optional<text> url;
  int64_t replies = 0, boosts = 0, favorites = 0;
  std::optional<bool> is_bookmarked;
  account author;
  std::unique_ptr<status> boost;
  std::vector<attachment> attachments;
  std::vector<mention> mentions;
  std::vector<tag> tags;
  std::vector<emoji> emojis;
  std::optional<::card> card;
  std::optional<::poll> poll;
  members others;
};

/// The declaration in C.
struct floor_statuses {
  std::vector<status> elements;
};
