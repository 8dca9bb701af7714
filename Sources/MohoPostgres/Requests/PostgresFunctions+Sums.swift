extension PostgresFunctions {
  /// Functions that return the parts of a double: `high` / 2^20 + `low` / 2^82 + `rest`. Sums of
  /// the parts are exact, and those of integers are fast.
  ///
  /// A double is split into the integers `high` and `low` if its absolute value is below 2^42 and
  /// it has no bits after 2^-82. Otherwise it is in `rest`, which is a decimal.
  static let high = "moho_high"
  static let low = "moho_low"
  static let rest = "moho_rest"

  /// A function that returns the double that is nearest to the sums of these parts.
  static let total = "moho_total"

  private static let exact = "moho_exact"
  private static let isSplit = "moho_is_split"

  static let sumNames = [high, low, rest, total, exact, isSplit]

  /// The bits of a double `x` after the first 20 of its fraction, as an integer in double
  /// precision.
  private static let lowBits =
    "(x * 1048576 - trunc(x * 1048576)) * 4611686018427387904"

  static let sumDefinitions = """
    CREATE OR REPLACE FUNCTION \(exact)(x float8) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      bits int8 := ('x' || encode(float8send(x), 'hex'))::bit(64)::int8;
      digits int8 := bits & 4503599627370495;
      exponent int4 := (bits >> 52) & 2047;
      result numeric;
    BEGIN
      IF exponent = 2047 THEN RETURN x::numeric; END IF;
      IF exponent > 0 THEN digits := digits | 4503599627370496; ELSE exponent := 1; END IF;
      exponent := exponent - 1075;
      result := digits * CASE WHEN exponent >= 0 THEN power(2::numeric, exponent)
        ELSE power(5::numeric, -exponent) * ('1e' || exponent)::numeric END;
      RETURN CASE WHEN bits < 0 THEN -result ELSE result END;
    END $$;

    CREATE OR REPLACE FUNCTION \(isSplit)(x float8) RETURNS bool
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN abs(x) < 4398046511104 THEN \(lowBits) = trunc(\(lowBits)) ELSE false END
    $$;

    CREATE OR REPLACE FUNCTION \(high)(x float8) RETURNS int8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN \(isSplit)(x) THEN trunc(x * 1048576)::int8 END
    $$;

    CREATE OR REPLACE FUNCTION \(low)(x float8) RETURNS int8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN \(isSplit)(x) THEN (\(lowBits))::int8 END
    $$;

    CREATE OR REPLACE FUNCTION \(rest)(x float8) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE WHEN NOT \(isSplit)(x) THEN \(exact)(x) END
    $$;

    CREATE OR REPLACE FUNCTION \(total)(high numeric, low numeric, rest numeric) RETURNS float8
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    DECLARE
      sum numeric;
    BEGIN
      IF high IS NULL AND rest IS NULL THEN RETURN NULL; END IF;
      -- The factor is 1 / 2^82.
      sum := (coalesce(high, 0) * 4611686018427387904 + coalesce(low, 0))
        * 0.0000000000000000000000002067951531382569187178521730174907133914530277252197265625
        + coalesce(rest, 0);
      IF sum = 'NaN' THEN RETURN NULL; END IF;
      -- Greater numbers are rounded to infinity, which PostgreSQL refuses.
      IF abs(sum) >= power(2::numeric, 1024) - power(2::numeric, 970) THEN
        RETURN sign(sum) * 'Infinity'::float8;
      END IF;
      RETURN sum::float8;
    END $$;

    """
}
