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

/** What the use of language models costs, summed by day, and how much of it is allowed a day. */
export const aiUsage = `
ALTER TABLE ai_uses
  ADD COLUMN is_own boolean NOT NULL DEFAULT false,   -- of the user's own model, not the house's
  -- Estimated, in millionths of a US dollar; null where no price is known.
  ADD COLUMN cost bigint;
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

INSERT INTO ai_days
SELECT ${SUMS}
FROM (SELECT *, 1 AS sign FROM ai_uses WHERE state <> 'open') ended GROUP BY 1, 2, 3, 4;

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

-- How many AI requests a day a user allows himself; without a row any number.
CREATE TABLE ai_caps (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  requests int NOT NULL CHECK (requests >= 1)
);

-- AI requests of all users to the house's model.
CREATE TABLE ai_house_days (
  day text PRIMARY KEY,                 -- in UTC
  requests bigint NOT NULL
);

-- The use that a run counts its tokens on.
ALTER TABLE outreach_batches ADD COLUMN ai_use_id bigint;
`
