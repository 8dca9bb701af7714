extension SearchFunctions {
  /// The formula is `bm25` with the parameters of FTS5, *k* = 1.2 and *b* = 0.75.
  ///
  /// The statistics are the average number of words of the rows that are found, the number of
  /// all rows, and for each phrase the number of rows that have it. `keys` has a digit for
  /// each key, which is 1 if the phrase is searched in it.
  static let relevanceDefinition = """
    CREATE OR REPLACE FUNCTION \(relevance)(
      phrases text[], keys text[], statistics float8[], VARIADIC words text[]) RETURNS float8
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 2000 AS $moho$
    DECLARE
      phrase text;
      rest text;
      size float8 := 0;
      hits int;
      place int;
      weight float8;
      relevance float8 := 0;
    BEGIN
      FOREACH rest IN ARRAY words LOOP
        size := size + coalesce(octet_length(rest) - octet_length(replace(rest, ' ', '')) - 1, 0);
      END LOOP;
      FOR p IN 1..cardinality(phrases) LOOP
        phrase := phrases[p];
        hits := 0;
        FOR k IN 1..cardinality(words) LOOP
          CONTINUE WHEN words[k] IS NULL OR substr(keys[p], k, 1) <> '1';
          IF strpos(btrim(phrase), ' ') = 0 THEN
            -- Consecutive words do not overlap if each of them has its own spaces.
            rest := replace(words[k], ' ', '  ');
            hits := hits + (octet_length(rest) - octet_length(replace(rest, phrase, '')))
              / octet_length(phrase);
          ELSE
            rest := words[k];
            LOOP
              place := strpos(rest, phrase);
              EXIT WHEN place = 0;
              hits := hits + 1;
              rest := substr(rest, place + 1);
            END LOOP;
          END IF;
        END LOOP;
        weight := greatest(
          ln((statistics[2] - statistics[p + 2] + 0.5) / (statistics[p + 2] + 0.5)), 1e-6);
        relevance := relevance
          + weight * hits * 2.2 / (hits + 1.2 * (0.25 + 0.75 * size / statistics[1]));
      END LOOP;
      RETURN -relevance;
    END $moho$;

    """
}
