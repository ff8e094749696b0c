/** Settings that belong to the user and not to one mailbox. */
export const accountSettings = `
CREATE TABLE follow_up_settings (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  enabled boolean NOT NULL DEFAULT false,
  enabled_in_practice boolean NOT NULL DEFAULT false,  -- on in practice, and off again once practice is left
  max_days int NOT NULL DEFAULT 14 CHECK (max_days BETWEEN 1 AND 60),
  daily_hour int NOT NULL DEFAULT 9 CHECK (daily_hour BETWEEN 0 AND 23),
  last_run_at timestamptz,
  last_sent_count int NOT NULL DEFAULT 0
);
INSERT INTO follow_up_settings
  SELECT user_id,
    coalesce(bool_or(auto_followup_enabled) FILTER (WHERE NOT is_practice AND disconnected_at IS NULL), false),
    coalesce(bool_or(auto_followup_enabled) FILTER (WHERE is_practice AND disconnected_at IS NULL), false),
    (array_agg(auto_followup_max_days ORDER BY is_primary DESC, id DESC))[1],
    (array_agg(auto_followup_daily_hour ORDER BY is_primary DESC, id DESC))[1],
    max(last_auto_followup_run),
    (array_agg(last_auto_followup_sent_count ORDER BY last_auto_followup_run DESC NULLS LAST))[1]
  FROM mailboxes WHERE NOT is_system GROUP BY user_id;
ALTER TABLE mailboxes
  DROP COLUMN auto_followup_enabled, DROP COLUMN auto_followup_max_days, DROP COLUMN auto_followup_daily_hour,
  DROP COLUMN last_auto_followup_run, DROP COLUMN last_auto_followup_sent_count;
`
