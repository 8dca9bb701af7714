import MohoMapping
import MohoRows

/// The SQL functions that requests use. They calculate and compare as
/// `Arithmetic` and `FieldContent` do in memory.
enum PostgresFunctions {
  /// Functions that calculate with two integers, decimals or doubles. The first
  /// argument is the operator. The result of ``unsigned`` is an unsigned integer.
  static let integer = "moho_integer"
  static let unsigned = "moho_unsigned"
  static let decimal = "moho_decimal"
  static let double = "moho_double"

  /// A function that rounds a decimal as `ExactDecimal` does.
  static let rounded = "moho_rounded"

  /// Functions that compare an integer with a double: negative, 0 or positive.
  static let order = "moho_order"
  static let unsignedOrder = "moho_unsigned_order"

  /// Functions that return whether an integer and a double are equal, or both null.
  static let isEqual = "moho_is_equal"
  static let unsignedIsEqual = "moho_unsigned_is_equal"

  /// A function that returns the seconds since 2001 of a date.
  static let seconds = "moho_seconds"

  /// A function that returns the compact text of JSON, as `StructuredValue` does.
  static let json = "moho_json"

  /// The names of all functions, including those of searches.
  static let names =
    [
      integer, unsigned, decimal, rounded, double, order, unsignedOrder, isEqual, unsignedIsEqual,
      seconds, json,
    ] + nestedNames + sumNames + SearchFunctions.names

  /// The version of the definitions, which is the comment of the first function.
  static let version = "Moho \(stableHash(definitions + nestedDefinitions + sumDefinitions))"

  /// Returns whether the schema of the store has the functions that its requests use.
  static func areCurrent(for schema: Schema, _ connection: PostgresConnection) throws -> Bool {
    let sql = """
      SELECT obj_description(p.oid, 'pg_proc') FROM pg_proc AS p
      JOIN pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = current_schema() AND p.proname IN ('\(integer)', '\(SearchFunctions.words)')
      """
    let found = try connection.query(sql).rows.map { $0.optionalString(0) }
    return found.contains(version)
      && (!schema.hasSearchIndexes || found.contains(SearchFunctions.version))
  }

  /// Returns the statements that create the functions, or replace former versions.
  static func creation(for schema: Schema) -> String {
    definitions + nestedDefinitions + sumDefinitions
      + "COMMENT ON FUNCTION \(integer)(text, int8, int8) IS '\(version)';\n"
      + (schema.hasSearchIndexes ? SearchFunctions.creation : "")
  }

  private static let definitions = """
    CREATE OR REPLACE FUNCTION \(integer)(operator text, one int8, other int8) RETURNS int8
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      result numeric;
    BEGIN
      CASE operator
        WHEN '+' THEN result := one::numeric + other;
        WHEN '-' THEN result := one::numeric - other;
        WHEN '*' THEN result := one::numeric * other;
        ELSE result := div(one, nullif(other, 0));
      END CASE;
      RETURN CASE WHEN result BETWEEN -9223372036854775808 AND 9223372036854775807
        THEN result::int8 END;
    END $$;

    CREATE OR REPLACE FUNCTION \(unsigned)(operator text, one numeric, other numeric)
    RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      result numeric;
    BEGIN
      CASE operator
        WHEN '+' THEN result := one + other;
        WHEN '-' THEN result := one - other;
        WHEN '*' THEN result := one * other;
        ELSE result := div(one, nullif(other, 0));
      END CASE;
      RETURN CASE WHEN result BETWEEN 0 AND 18446744073709551615 THEN result END;
    END $$;

    CREATE OR REPLACE FUNCTION \(decimal)(operator text, one numeric, other numeric)
    RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      result numeric;
    BEGIN
      CASE operator
        WHEN '+' THEN result := one + other;
        WHEN '-' THEN result := one - other;
        WHEN '*' THEN result := one * other;
        ELSE
          IF other = 0 THEN RETURN NULL; END IF;
          -- A truncated quotient with more digits than a result has.
          result := div(one * 1e340, other) * 1e-340;
      END CASE;
      RETURN \(rounded)(result);
    END $$;

    CREATE OR REPLACE FUNCTION \(rounded)(value numeric) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      fraction text;
      digits int;
    BEGIN
      IF value = 0 THEN RETURN 0; END IF;
      -- The number of digits before the point, or of zeros after it, negated.
      IF abs(value) >= 1 THEN
        digits := length(trunc(abs(value))::text);
      ELSE
        fraction := substr(abs(value)::text, 3);
        digits := length(ltrim(fraction, '0')) - length(fraction);
      END IF;
      IF digits > 165 THEN RETURN NULL; END IF;
      RETURN trim_scale(round(value, least(38 - digits, 128)));
    END $$;

    CREATE OR REPLACE FUNCTION \(double)(operator text, one float8, other float8)
    RETURNS float8
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      result float8;
    BEGIN
      IF operator = '/' AND other = 0 THEN RETURN NULL; END IF;
      BEGIN
        CASE operator
          WHEN '+' THEN result := one + other;
          WHEN '-' THEN result := one - other;
          WHEN '*' THEN result := one * other;
          ELSE result := one / other;
        END CASE;
      EXCEPTION WHEN numeric_value_out_of_range THEN
        -- PostgreSQL refuses results that are rounded to infinity or to 0.
        IF operator = '*' AND abs(one) < 1 OR operator = '/' AND abs(one) < abs(other) THEN
          result := 0;
        ELSIF operator IN ('+', '-') THEN
          result := sign(one) * 'Infinity'::float8;
        ELSE
          result := sign(one) * sign(other) * 'Infinity'::float8;
        END IF;
      END;
      RETURN nullif(result, 'NaN'::float8);
    END $$;

    CREATE OR REPLACE FUNCTION \(order)(one int8, other float8) RETURNS int4
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT CASE
        WHEN other >= 9223372036854775808 THEN -1
        WHEN other < -9223372036854775808 THEN 1
        WHEN one < floor(other)::int8 THEN -1
        WHEN one > floor(other)::int8 THEN 1
        WHEN other > floor(other) THEN -1
        ELSE 0 END
    $$;

    CREATE OR REPLACE FUNCTION \(isEqual)(one int8, other float8) RETURNS bool
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN one IS NULL OR other IS NULL THEN one IS NULL AND other IS NULL
        WHEN other >= 9223372036854775808 OR other < -9223372036854775808 THEN false
        ELSE other = floor(other) AND one = floor(other)::int8 END
    $$;

    CREATE OR REPLACE FUNCTION \(unsignedOrder)(one numeric, other float8) RETURNS int4
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT CASE
        WHEN other < 9223372036854775808 AND one < 9223372036854775808
        THEN \(order)(one::int8, other)
        WHEN other < 9223372036854775808 THEN 1
        WHEN other >= 18446744073709551616 THEN -1
        -- A conversion to numeric would round to 15 digits.
        ELSE sign(one - 9223372036854775808
          - (other - 9223372036854775808::float8)::int8)::int4 END
    $$;

    CREATE OR REPLACE FUNCTION \(unsignedIsEqual)(one numeric, other float8) RETURNS bool
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN one IS NULL OR other IS NULL THEN one IS NULL AND other IS NULL
        ELSE \(unsignedOrder)(one, other) = 0 END
    $$;

    CREATE OR REPLACE FUNCTION \(seconds)(date timestamptz) RETURNS float8
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT CASE
        WHEN date > '1715-10-21 08:00:00+00' AND date < '2286-03-14 16:00:00+00'
        THEN ((extract(epoch FROM date) * 1000000)::int8 - 978307200000000)::float8 / 1000000
        WHEN isfinite(date)
        THEN trunc(extract(epoch FROM date) - 978307200)::float8
          + (mod(extract(epoch FROM date), 1) * 1000000)::float8 / 1000000
        WHEN date = 'infinity' THEN 'infinity'::float8 ELSE '-infinity'::float8 END
    $$;

    CREATE OR REPLACE FUNCTION \(json)(value jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    BEGIN
      CASE jsonb_typeof(value)
        WHEN 'object' THEN
          RETURN '{' || coalesce((SELECT string_agg(
            to_json(m.key)::text || ':' || \(json)(m.value), ',' ORDER BY m.key COLLATE "C")
            FROM jsonb_each(value) AS m), '') || '}';
        WHEN 'array' THEN
          RETURN '[' || coalesce((SELECT string_agg(\(json)(e.value), ',' ORDER BY e.ordinality)
            FROM jsonb_array_elements(value) WITH ORDINALITY AS e), '') || ']';
        WHEN 'number' THEN RETURN trim_scale(value::numeric)::text;
        ELSE RETURN value::text;
      END CASE;
    END $$;

    """
}
