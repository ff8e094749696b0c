/** The sums of the rows of one day, each row counted `sign` times; what is still open counts nothing. */
const SUMS = `
  user_id, day, purpose, is_own,
  coalesce(sum(sign) FILTER (WHERE state = 'used'), 0) AS used,
  coalesce(sum(sign) FILTER (WHERE state = 'failed'), 0) AS failed,
  coalesce(sum(sign) FILTER (WHERE state = 'used' AND paid_by = 'plan'), 0) AS by_plan,
  coalesce(sum(sign) FILTER (WHERE state = 'used' AND paid_by = 'credit'), 0) AS by_credit,
  coalesce(sum(sign) FILTER (WHERE state = 'failed' AND input_tokens + output_tokens > 0), 0) AS failed_at_work,
  coalesce(sum(sign * input_tokens), 0) AS input_tokens,
  coalesce(sum(sign * output_tokens), 0) AS output_tokens,
  coalesce(sum(sign * milliseconds), 0) AS milliseconds,
  coalesce(sum(sign * cost), 0) AS cost,
  coalesce(sum(sign * (input_tokens + output_tokens)) FILTER (WHERE cost IS NULL), 0) AS unpriced_tokens`

/** Language models: the user's own, and what their use costs. */
export const models = `
-- The language model that a user has entered for themselves.
CREATE TABLE own_models (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  base_url text NOT NULL,
  model text NOT NULL,
  api_key_box text,                     -- sealed for this user and this address; null: the server asks for none
  saved_at timestamptz NOT NULL
);

-- One row for each use of a language model. An open row holds its place in the day's limit, or a credit.
CREATE TABLE ai_uses (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  day text NOT NULL,                    -- of the user's time zone
  purpose text NOT NULL,
  model text NOT NULL,
  paid_by text NOT NULL CHECK (paid_by IN ('plan', 'credit', 'nothing')),
  state text NOT NULL CHECK (state IN ('open', 'used', 'failed')),
  input_tokens bigint,
  output_tokens bigint,
  milliseconds bigint,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  is_own boolean NOT NULL DEFAULT false, -- to the user's own model
  -- Estimated, in millionths of a US dollar; null where no price is known.
  cost bigint,
  -- When the day ends in the zone that it was counted in, so that a changed time zone gives no second day of requests; null
  -- for uses of earlier versions.
  day_ends_at timestamptz,
  PRIMARY KEY (user_id, id),
  CHECK ((state = 'open') = (ended_at IS NULL))
);
CREATE INDEX ai_uses_of_day ON ai_uses (user_id, day);
CREATE INDEX ai_uses_open ON ai_uses (user_id) WHERE state = 'open';
CREATE INDEX ai_uses_by_age ON ai_uses (started_at);

-- The sums of each day's uses, kept by the triggers below: an account with a million uses is counted at once.
CREATE TABLE ai_days (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  day text NOT NULL,                    -- of the user's time zone
  purpose text NOT NULL,
  is_own boolean NOT NULL,
  used bigint NOT NULL,
  failed bigint NOT NULL,
  by_plan bigint NOT NULL,              -- of the used ones, those that the plan has paid
  by_credit bigint NOT NULL,
  failed_at_work bigint NOT NULL,       -- of the failed ones, those that the model had begun to work on
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  milliseconds bigint NOT NULL,
  cost bigint NOT NULL,
  unpriced_tokens bigint NOT NULL,      -- nobody knows what they cost
  PRIMARY KEY (user_id, day, purpose, is_own)
);
CREATE INDEX ai_days_by_age ON ai_days (day);

-- How many AI requests a day users allow themselves; without a row, any number.
CREATE TABLE ai_caps (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  requests int NOT NULL CHECK (requests >= 1)
);

-- Requests of all users to the model of this Howl.
CREATE TABLE ai_house_days (
  day text PRIMARY KEY,                 -- in UTC
  requests bigint NOT NULL
);

CREATE FUNCTION sum_ai_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO ai_days AS d
    SELECT ${SUMS}
    FROM (
      SELECT *, 1 AS sign FROM new_rows WHERE state <> 'open' UNION ALL SELECT *, -1 FROM old_rows WHERE state <> 'open'
    ) changes GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (user_id, day, purpose, is_own) DO UPDATE SET
      used = d.used + excluded.used, failed = d.failed + excluded.failed, by_plan = d.by_plan + excluded.by_plan,
      by_credit = d.by_credit + excluded.by_credit, failed_at_work = d.failed_at_work + excluded.failed_at_work,
      input_tokens = d.input_tokens + excluded.input_tokens, output_tokens = d.output_tokens + excluded.output_tokens,
      milliseconds = d.milliseconds + excluded.milliseconds, cost = d.cost + excluded.cost,
      unpriced_tokens = d.unpriced_tokens + excluded.unpriced_tokens;
  ELSE
    -- Updates only: an account that goes takes its sums along.
    UPDATE ai_days d SET
      used = d.used - c.used, failed = d.failed - c.failed, by_plan = d.by_plan - c.by_plan,
      by_credit = d.by_credit - c.by_credit, failed_at_work = d.failed_at_work - c.failed_at_work,
      input_tokens = d.input_tokens - c.input_tokens, output_tokens = d.output_tokens - c.output_tokens,
      milliseconds = d.milliseconds - c.milliseconds, cost = d.cost - c.cost,
      unpriced_tokens = d.unpriced_tokens - c.unpriced_tokens
    FROM (SELECT ${SUMS} FROM (SELECT *, 1 AS sign FROM old_rows WHERE state <> 'open') gone GROUP BY 1, 2, 3, 4) c
    WHERE (d.user_id, d.day, d.purpose, d.is_own) = (c.user_id, c.day, c.purpose, c.is_own);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER sum_ai_days_on AFTER UPDATE ON ai_uses
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_ai_days();
CREATE TRIGGER sum_ai_days_out AFTER DELETE ON ai_uses
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION sum_ai_days();
`
