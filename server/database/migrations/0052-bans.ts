/** Bans of users, and appeals against them. */
export const bans = `
-- Who banned, lifted or answered is kept without a reference: the row outlives that administrator's account.
CREATE TABLE bans (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  reason text NOT NULL,
  description text NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'expired', 'lifted')),
  by_rules boolean NOT NULL,            -- by the rules of abuse
  banned_by bigint,
  banned_at timestamptz NOT NULL,
  expires_at timestamptz,               -- null: permanent
  ended_at timestamptz,
  lifted_by bigint,
  unban_reason text,
  -- The newest token that lets the user appeal, as a signature; null once it is used.
  appeal_signature text,
  appeal_until timestamptz,
  PRIMARY KEY (user_id, id),
  CHECK (expires_at > banned_at),
  CHECK ((status = 'active') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX bans_newest ON bans (id);
CREATE INDEX bans_by_status ON bans (status, id);
-- users.is_active is false while there is such a row.
CREATE UNIQUE INDEX bans_in_force ON bans (user_id) WHERE status = 'active';
CREATE INDEX bans_due ON bans (expires_at) WHERE status = 'active' AND expires_at IS NOT NULL;
CREATE UNIQUE INDEX bans_appeal ON bans (appeal_signature) WHERE appeal_signature IS NOT NULL;

CREATE TABLE appeals (
  user_id bigint NOT NULL,
  ban_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  message text NOT NULL,
  submitted_at timestamptz NOT NULL,
  decision text CHECK (decision IN ('lift', 'keep')),
  answer text,
  answered_at timestamptz,
  answered_by bigint,
  PRIMARY KEY (user_id, ban_id, id),
  FOREIGN KEY (user_id, ban_id) REFERENCES bans (user_id, id) ON DELETE CASCADE,
  CHECK ((answered_at IS NULL) = (decision IS NULL) AND (answered_at IS NULL) = (answer IS NULL))
);
CREATE UNIQUE INDEX appeals_open ON appeals (ban_id) WHERE answered_at IS NULL;

-- A ban stops mail as a pause does. The two are kept apart: the end of one does not end the other.
CREATE OR REPLACE FUNCTION mail_is_paused(owner bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM users u WHERE u.id = owner AND (u.mail_paused_at IS NOT NULL OR NOT u.is_active))
$$;
`
