extension SearchFunctions {
  /// The function has the same results as `highlight` and `snippet` of FTS5. The number of
  /// words is null for the whole text.
  ///
  /// A snippet begins before the first match, or at the beginning of its sentence. The best one
  /// has the most different phrases, then the most matches: as in FTS5, its score is 1,000 for
  /// each phrase, 1 for each repetition of a phrase, and 120 if it begins at the beginning of the
  /// text, or 100 if it begins at the beginning of another sentence. Positions of words start at 0.
  static let excerptDefinition = """
    CREATE OR REPLACE FUNCTION \(excerpt)(
      value text, words text, phrases text[], opening text, closing text, ellipsis text, count int)
    RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 5000 AS $moho$
    DECLARE
      tokens text[];
      gaps text[];
      folded text[];
      size int;
      -- The first and the last word of each match, and the number of its phrase.
      starts int[];
      ends int[];
      numbers int[];
      -- The first words of sentences.
      sentences int[];
      sentence int := 1;
      first int := 0;
      last int;
      best int := 0;
      score int;
      origin int;
      -- The first word of the first match of a snippet, and the word after the last match.
      start int;
      finish int;
      i int;
      seen int[];
      -- The first and the last word between two markers.
      opened int;
      closed int;
      openings int[] := '{}';
      closings int[] := '{}';
    BEGIN
      IF value IS NULL THEN RETURN NULL; END IF;
      tokens := ARRAY(
        SELECT token[1] FROM regexp_matches(value COLLATE "C", $r$\(word)$r$, 'g') token);
      gaps := regexp_split_to_array(value COLLATE "C", $r$\(word)$r$);
      size := cardinality(tokens);
      folded := string_to_array(btrim(words), ' ');
      SELECT coalesce(array_agg(position ORDER BY position, number), '{}'),
        array_agg(position + length - 1 ORDER BY position, number),
        array_agg(number ORDER BY position, number)
      INTO starts, ends, numbers
      FROM (
        SELECT number, phrase, parts, cardinality(parts) AS length
        FROM unnest(phrases) WITH ORDINALITY p (phrase, number),
          string_to_array(btrim(phrase), ' ') parts) p,
        unnest(folded) WITH ORDINALITY f (token, ordinal), LATERAL (
          SELECT ordinal::int - 1 AS position) o
      WHERE CASE WHEN length = 1 THEN starts_with(' ' || token || ' ', phrase)
        ELSE token = parts[1] AND starts_with(
          ' ' || array_to_string(folded[ordinal : ordinal + length - 1], ' ') || ' ', phrase) END;
      last := size - 1;
      IF count IS NOT NULL THEN
        IF size > count THEN
          sentences := ARRAY(
            SELECT ordinal::int - 1 FROM unnest(gaps) WITH ORDINALITY g (gap, ordinal)
            WHERE ordinal = 1 OR ordinal <= size AND gap ~ $r$[.:][ \\t\\n\\r]+$$r$
            ORDER BY ordinal);
        END IF;
        FOR match IN 1..cardinality(starts) LOOP
          FOR pass IN 1..2 LOOP
            origin := starts[match];
            score := 0;
            IF pass = 2 THEN
              EXIT WHEN sentences IS NULL;
              WHILE sentences[sentence + 1] <= starts[match] LOOP
                sentence := sentence + 1;
              END LOOP;
              origin := sentences[sentence];
              EXIT WHEN origin = starts[match];
              score := CASE WHEN origin = 0 THEN 120 ELSE 100 END;
            END IF;
            i := match;
            WHILE starts[i - 1] >= origin LOOP i := i - 1; END LOOP;
            start := starts[i];
            seen := '{}';
            WHILE starts[i] < origin + count LOOP
              score := score + CASE WHEN numbers[i] = ANY (seen) THEN 1 ELSE 1000 END;
              seen := seen || numbers[i];
              finish := ends[i] + 1;
              i := i + 1;
            END LOOP;
            IF score > best THEN
              best := score;
              first := CASE pass WHEN 2 THEN origin ELSE
                greatest(least(start - (count - (finish - start)) / 2, size - count), 0) END;
            END IF;
          END LOOP;
        END LOOP;
        last := first + count - 1;
      END IF;
      -- Matches that overlap have common markers.
      FOR match IN 1..cardinality(starts) + 1 LOOP
        IF match > 1 AND starts[match] <= closed THEN
          closed := greatest(closed, ends[match]);
        ELSE
          IF match > 1 AND opened BETWEEN first AND last THEN
            openings := openings || opened;
            closings := closings || least(closed, last);
          END IF;
          opened := starts[match];
          closed := ends[match];
        END IF;
      END LOOP;
      RETURN CASE WHEN first > 0 THEN ellipsis ELSE gaps[1] END
        || coalesce((
          SELECT string_agg(
            CASE WHEN ordinal - 1 = ANY (openings) THEN opening ELSE '' END || token
            || CASE WHEN ordinal - 1 = ANY (closings) THEN closing ELSE '' END
            || CASE WHEN ordinal <= last OR ordinal = size THEN gap ELSE '' END,
            '' ORDER BY ordinal)
          FROM unnest(tokens, gaps[2:]) WITH ORDINALITY t (token, gap, ordinal)
          WHERE ordinal BETWEEN first + 1 AND last + 1), '')
        || CASE WHEN last < size - 1 THEN ellipsis ELSE '' END;
    END $moho$;

    """

  /// The regular expression of a word with its accents.
  private static let word =
    "[^\(CharacterClass.separatorsAndAccents)][^\(CharacterClass.separators)]*"
}
