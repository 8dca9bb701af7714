import MohoRows

/// The SQL functions of full-text indexes and searches.
///
/// A text is searched in the form of its words, such as ` the moon landing `: without letter
/// case and accents, with one space before, between and after them. A phrase has the form of
/// its words, such as ` moon landing `, or ` moon land` if it ends with the beginning of a word.
/// A text has the words of a phrase next to each other if it contains the phrase.
enum SearchFunctions {
  /// A function that returns the words of a text.
  static let words = "moho_words"

  /// A function that returns the lexemes of the words of several keys: each word after the
  /// number of its key, such as `0.moon`. Words are shortened to ``lexemeLength`` characters.
  /// If the lexemes are longer than `tsvector` allows, the result is ``overflow``.
  static let vector = "moho_word_vector"

  /// A function that returns whether each of several phrases occurs in the words of at least
  /// one key.
  static let hasPhrases = "moho_has_phrases"

  /// A function that returns the number of words of several keys.
  static let wordCount = "moho_word_count"

  /// A function that returns the relevance of a row.
  static let relevance = "moho_relevance"

  /// A function that marks the phrases in a text or a part of it.
  static let excerpt = "moho_excerpt"

  /// The names of all functions.
  static let names = [words, vector, hasPhrases, wordCount, relevance, excerpt]

  /// The maximum number of characters of a lexeme. PostgreSQL allows 2,046 bytes.
  static let lexemeLength = 500

  /// The lexeme of a row with more words than an index entry can have. Searches read the texts
  /// of these rows.
  static let overflow = "+"

  /// The version of the functions of indexes, which is the comment of each index.
  static let indexVersion = "Moho \(stableHash(indexDefinitions))"

  /// The version of all functions, which is the comment of the first one.
  static let version = "Moho \(stableHash(definitions))"

  /// The statements that create the functions, or replace former versions.
  static let creation =
    definitions + "COMMENT ON FUNCTION \(words)(text) IS '\(version)';\n"

  private static let definitions =
    indexDefinitions + searchDefinitions + relevanceDefinition + excerptDefinition

  // Indexes and dumps need these functions without the search path of a store, and other
  // programs run them when they write. The costs make the server prefer the index. It assumes
  // that it must compute the lexemes of each row that it finds, and would start processes for
  // this, which takes longer than most searches.
  private static let indexDefinitions = """
    CREATE OR REPLACE FUNCTION \(words)(value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 2000
    SET search_path = pg_catalog, pg_temp AS $moho$
    DECLARE
      letters text;
      accents text;
    BEGIN
      IF octet_length(value) = length(value) THEN
        value := regexp_replace(' ' || value || ' ' COLLATE "C", '[^A-Za-z0-9]+', ' ', 'g');
      ELSE
        -- The letters that are compared as another one, and accents. `translate` compares each
        -- character with all of them.
        letters := regexp_replace(value COLLATE "C", $r$[^\(CharacterClass.folded)]+$r$, '', 'g');
        IF letters <> '' THEN
          IF length(letters) > 8 THEN
            letters := (
              SELECT string_agg(DISTINCT letter, '')
              FROM unnest(string_to_array(letters, NULL)) letter);
          END IF;
          accents := regexp_replace(letters, $r$[^\(accents)]+$r$, '', 'g');
          letters := translate(letters, accents, '');
          value := translate(value, letters || accents,
            translate(letters, $r$\(foldings.from)$r$, $r$\(foldings.to)$r$));
        END IF;
        value := regexp_replace(
          ' ' || value || ' ' COLLATE "C", $r$[\(CharacterClass.separators)]+$r$, ' ', 'g');
      END IF;
      value := lower(value COLLATE "C");
      IF octet_length(value) > \(WordTokenizer.maximumLength) AND EXISTS (
        SELECT FROM unnest(string_to_array(value, ' ')) word
        WHERE octet_length(word) > \(WordTokenizer.maximumLength))
      THEN
        value := (
          SELECT string_agg(
            CASE WHEN octet_length(word) <= \(WordTokenizer.maximumLength) THEN word
            ELSE convert_from(substr(bytes, 1, (
                SELECT max(size) FROM generate_series(
                  \(WordTokenizer.maximumLength - 3), \(WordTokenizer.maximumLength)) size
                WHERE get_byte(bytes, size) & 192 <> 128)), 'UTF8')
            END, ' ' ORDER BY position)
          FROM unnest(string_to_array(value, ' ')) WITH ORDINALITY w (word, position),
            convert_to(word, 'UTF8') bytes);
      END IF;
      RETURN value;
    END $moho$;

    CREATE OR REPLACE FUNCTION \(vector)(VARIADIC words text[]) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE PARALLEL RESTRICTED COST 2000
    SET search_path = pg_catalog, pg_temp AS $moho$
    DECLARE
      lexemes text := '';
      key text;
      number int := 0;
    BEGIN
      FOREACH key IN ARRAY words LOOP
        IF key <> ' ' THEN
          lexemes := lexemes || replace(left(key, -1), ' ', ' ' || number || '.');
        END IF;
        number := number + 1;
      END LOOP;
      IF octet_length(lexemes) > \(lexemeLength) AND (
        octet_length(lexemes) > 1000000 OR lexemes ~ '[^ ]{250}[^ ]{\(lexemeLength - 249)}')
      THEN
        lexemes := (
          SELECT string_agg(DISTINCT left(lexeme, \(lexemeLength)), ' ')
          FROM unnest(string_to_array(lexemes, ' ')) lexeme);
        IF octet_length(lexemes) > 1000000 THEN RETURN '\(overflow)'; END IF;
      END IF;
      RETURN lexemes;
    END $moho$;

    """

  private static let searchDefinitions = """
    CREATE OR REPLACE FUNCTION \(hasPhrases)(phrases text[], VARIADIC words text[]) RETURNS bool
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 500 AS $moho$
    DECLARE
      phrase text;
      key text;
      is_found bool;
    BEGIN
      FOREACH phrase IN ARRAY phrases LOOP
        is_found := false;
        FOREACH key IN ARRAY words LOOP
          is_found := strpos(key, phrase) > 0;
          EXIT WHEN is_found;
        END LOOP;
        IF is_found IS NOT TRUE THEN RETURN false; END IF;
      END LOOP;
      RETURN true;
    END $moho$;

    CREATE OR REPLACE FUNCTION \(wordCount)(VARIADIC words text[]) RETURNS int8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $moho$
      SELECT sum(octet_length(key) - octet_length(replace(key, ' ', '')) - 1) FROM unnest(words) key
    $moho$;

    """

  private static let accents = CharacterClass.text(WordTable.accents)

  private static let foldings: (from: String, to: String) = {
    let sorted = WordTable.foldings.sorted { $0.key < $1.key }
    return (CharacterClass.text(sorted.map(\.key)), CharacterClass.text(sorted.map(\.value)))
  }()
}

/// Sets of characters in regular expressions of PostgreSQL.
enum CharacterClass {
  /// The characters between words.
  static let separators =
    WordTable.separators.map { max($0.lowerBound, 1)...$0.upperBound }.expression

  /// The characters between words, and those that do not begin a word.
  static let separatorsAndAccents = separators + WordTable.accents.ranges.expression

  /// The characters outside of ASCII that are compared as another one, or ignored.
  static let folded =
    (WordTable.foldings.keys + WordTable.accents).sorted().ranges.expression

  /// Returns the characters as a text.
  static func text(_ characters: [UInt32]) -> String {
    String(String.UnicodeScalarView(characters.compactMap { Unicode.Scalar($0) }))
  }
}
