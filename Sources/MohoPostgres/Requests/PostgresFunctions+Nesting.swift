/// The SQL functions that read values inside JSON, as `NestedPath` does in memory. They
/// return null for a value of another form.
extension PostgresFunctions {
  static let nestedBoolean = "moho_nested_boolean"
  static let nestedInteger = "moho_nested_integer"
  static let nestedUnsigned = "moho_nested_unsigned"
  static let nestedDecimal = "moho_nested_decimal"
  static let nestedDouble = "moho_nested_double"
  static let nestedText = "moho_nested_text"
  static let nestedUUID = "moho_nested_uuid"
  static let nestedData = "moho_nested_data"

  /// Functions that return the seconds since 2001 of dates in ISO 8601 format, with a time
  /// and without.
  static let nestedDate = "moho_nested_date"
  static let nestedDay = "moho_nested_day"

  /// A function that returns the number of days from 2001-01-01 to a calendar date of the
  /// years 0 to 9999.
  static let day = "moho_day"

  static let nestedNames = [
    nestedBoolean, nestedInteger, nestedUnsigned, nestedDecimal, nestedDouble, nestedText,
    nestedUUID, nestedData, nestedDate, nestedDay, day,
  ]

  // `CASE` guards each cast, because a cast of another value is an error. Functions that
  // are not strict can be inlined.
  static let nestedDefinitions = """
    CREATE OR REPLACE FUNCTION \(nestedBoolean)(value jsonb) RETURNS bool
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE jsonb_typeof(value) WHEN 'boolean' THEN value::bool END
    $$;

    CREATE OR REPLACE FUNCTION \(nestedDecimal)(value jsonb) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE jsonb_typeof(value) WHEN 'number' THEN value::numeric END
    $$;

    CREATE OR REPLACE FUNCTION \(nestedInteger)(value jsonb) RETURNS int8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE jsonb_typeof(value) WHEN 'number' THEN
        CASE WHEN value::numeric = trunc(value::numeric)
          AND value::numeric BETWEEN -9223372036854775808 AND 9223372036854775807
          THEN value::int8 END END
    $$;

    CREATE OR REPLACE FUNCTION \(nestedUnsigned)(value jsonb) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE jsonb_typeof(value) WHEN 'number' THEN
        CASE WHEN value::numeric = trunc(value::numeric)
          AND value::numeric BETWEEN 0 AND 18446744073709551615 THEN value::numeric END END
    $$;

    CREATE OR REPLACE FUNCTION \(nestedDouble)(value jsonb) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE jsonb_typeof(value) WHEN 'number' THEN
        -- PostgreSQL refuses numbers that are rounded to infinity or to 0.
        CASE WHEN abs(value::numeric) >= 1.7976931348623158e308 THEN NULL
          WHEN abs(value::numeric) <= 2.4703282292062328e-324 THEN 0
          ELSE value::float8 END END
    $$;

    CREATE OR REPLACE FUNCTION \(nestedText)(value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE jsonb_typeof(value) WHEN 'string' THEN value #>> '{}' END
    $$;

    CREATE OR REPLACE FUNCTION \(nestedUUID)(value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT CASE WHEN word ~ '^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$' THEN word END
      FROM upper(\(nestedText)(value) COLLATE "C") AS word
    $$;

    CREATE OR REPLACE FUNCTION \(nestedData)(value jsonb) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT CASE WHEN word
        ~ '^([0-9A-Za-z+/]{4})*([0-9A-Za-z+/]{2}==|[0-9A-Za-z+/]{3}=)?$'
        THEN decode(word, 'base64') END
      FROM \(nestedText)(value) AS word
    $$;

    CREATE OR REPLACE FUNCTION \(day)(year int4, month int4, day int4) RETURNS int8
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT CASE WHEN month BETWEEN 1 AND 12 AND day BETWEEN 1 AND
        CASE WHEN month IN (4, 6, 9, 11) THEN 30 WHEN month <> 2 THEN 31
          WHEN year % 4 = 0 AND (year % 100 <> 0 OR year % 400 = 0) THEN 29 ELSE 28 END
        THEN (y / 400 * 146097 + y % 400 * 365 + y % 400 / 4 - y % 400 / 100
          + (153 * (month + CASE WHEN month > 2 THEN -3 ELSE 9 END) + 2) / 5
          + day - 1 - 876888)::int8 END
      -- Years from March, so that leap days come last, plus 400.
      FROM (SELECT CASE WHEN month <= 2 THEN year + 399 ELSE year + 400 END AS y) AS shifted
    $$;

    CREATE OR REPLACE FUNCTION \(nestedDay)(value jsonb) RETURNS float8
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      parts text[];
    BEGIN
      parts := regexp_match(
        \(nestedText)(value), '^([0-9]{4})-([0-9]{2})-([0-9]{2})$');
      RETURN 86400 * \(day)(parts[1]::int4, parts[2]::int4, parts[3]::int4);
    END $$;

    CREATE OR REPLACE FUNCTION \(nestedDate)(value jsonb) RETURNS float8
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      parts text[];
      seconds int8;
      digits text;
    BEGIN
      parts := regexp_match(
        \(nestedText)(value),
        '^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})'
        || '(?:[.,]([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):?([0-9]{2}))$');
      IF parts[4]::int4 > 23 OR parts[5]::int4 > 59 OR parts[6]::int4 > 59
        OR parts[9]::int4 > 23 OR parts[10]::int4 > 59 THEN RETURN NULL; END IF;
      seconds := 86400 * \(day)(parts[1]::int4, parts[2]::int4, parts[3]::int4)
        + 3600 * parts[4]::int4 + 60 * parts[5]::int4 + parts[6]::int4
        - coalesce((parts[8] || '1')::int4 * (3600 * parts[9]::int4 + 60 * parts[10]::int4), 0);
      digits := left(parts[7], 18);
      IF digits IS NULL OR digits::int8 = 0 THEN RETURN seconds; END IF;
      -- Near 2001, doubles distinguish more digits.
      IF seconds >= -8 AND seconds < 8 THEN
        RETURN seconds + ('0.' || digits)::numeric;
      END IF;
      digits := left(digits, 15);
      RETURN seconds::float8
        + digits::int8::float8 / ('1' || repeat('0', length(digits)))::float8;
    END $$;

    """
}
