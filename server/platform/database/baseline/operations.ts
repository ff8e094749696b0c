/** Restored backups, deleted accounts, and invitations of friends. */
export const operations = `
-- Backups that were restored into this database.
CREATE TABLE restores (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token text NOT NULL UNIQUE,           -- the files outside the database name it: they belong to this restore
  backup_taken_at timestamptz NOT NULL,
  restored_at timestamptz NOT NULL
);

-- Users whose mail is held since a restore. Their mail_paused_at is set.
CREATE TABLE restore_holds (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  restore_id bigint NOT NULL,           -- of restores, which are never removed
  batch_ids bigint[] NOT NULL DEFAULT '{}' -- runs that the restore has paused
);

-- The hold ends with the pause, however that ends.
CREATE FUNCTION end_restore_hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM restore_holds WHERE user_id = NEW.id;
  DELETE FROM held_mails WHERE user_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER users_end_restore_hold AFTER UPDATE OF mail_paused_at ON users FOR EACH ROW
  WHEN (OLD.mail_paused_at IS NOT NULL AND NEW.mail_paused_at IS NULL) EXECUTE FUNCTION end_restore_hold();

-- Why somebody deleted their account. The row outlives it: what it says about the account is copied, without name and address.
CREATE TABLE departure_feedback (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint UNIQUE REFERENCES users ON DELETE SET NULL,
  category text NOT NULL,
  custom_category text NOT NULL,
  rating int NOT NULL CHECK (rating BETWEEN 1 AND 5),
  details text NOT NULL,
  improvements text NOT NULL,
  competitor text NOT NULL,
  contact_consent boolean NOT NULL,
  contact_method text,
  pricing_tier text NOT NULL,
  account_age_days int NOT NULL,
  given_at timestamptz NOT NULL,
  deleted_at timestamptz                -- null: the account lives
);
-- Feedback is counted, filtered and ordered in here; texts are read for one page.
CREATE INDEX departure_feedback_counted ON departure_feedback (category, rating, id)
  INCLUDE (given_at, deleted_at, contact_consent, pricing_tier, account_age_days);
CREATE INDEX departure_feedback_newest ON departure_feedback (given_at, id);

CREATE TABLE referral_codes (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  code text NOT NULL,
  PRIMARY KEY (user_id)
);
CREATE UNIQUE INDEX referral_codes_code ON referral_codes (code);

-- One row per invited mailbox. Inviting it again renews the row.
CREATE TABLE referral_invitations (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  email text NOT NULL,
  inbox text NOT NULL,                  -- inbox_key(email)
  personal_message text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'opened', 'signed_up')),
  token_signature text NOT NULL,
  mail_id bigint,                       -- in system_mails
  created_at timestamptz NOT NULL,
  failed_at timestamptz,                -- the mail server refused it
  PRIMARY KEY (user_id, id)
);
CREATE UNIQUE INDEX referral_invitations_inbox ON referral_invitations (user_id, inbox);
CREATE UNIQUE INDEX referral_invitations_token ON referral_invitations (token_signature);
CREATE INDEX referral_invitations_mail ON referral_invitations (mail_id) WHERE mail_id IS NOT NULL;
CREATE INDEX referral_invitations_newest ON referral_invitations (user_id, created_at DESC, id DESC);
CREATE INDEX referral_invitations_created ON referral_invitations (created_at);

-- Friends who signed up with the user's code. The row outlives the friend's account, so that nobody is counted twice.
CREATE TABLE referrals (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  friend_hash text NOT NULL,            -- of inbox_key(their address)
  friend_id bigint NOT NULL,
  invitation_id bigint,                 -- null: the code came from elsewhere
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz,             -- when the friend confirmed the address
  PRIMARY KEY (user_id, friend_hash)
);
CREATE UNIQUE INDEX referrals_friend ON referrals (friend_hash);
CREATE INDEX referrals_friend_id ON referrals (friend_id);
CREATE INDEX referrals_newest ON referrals (user_id, created_at DESC);
CREATE INDEX referrals_created ON referrals (created_at);

CREATE FUNCTION tell_referrals(owner bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('howl_live', json_build_object('userId', owner, 'event', json_build_object('topic', 'referrals'))::text)
$$;

-- A sign-up with a valid code: both earn 50 credits, in the transaction of the sign-up. Sign-ups at the same time do not wait
-- for one another; the unique index on friend_hash decides between those of one mailbox. A wrong code earns nothing.
CREATE FUNCTION credit_referral() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  inviter bigint;
  friend_inbox text := inbox_key(NEW.email_key);
  hash text := encode(sha256(convert_to(friend_inbox, 'UTF8')), 'hex');
  expires timestamptz := (NEW.created_at AT TIME ZONE 'UTC' + interval '12 months') AT TIME ZONE 'UTC';
  invitation bigint;
BEGIN
  SELECT u.id INTO inviter FROM referral_codes c JOIN users u ON u.id = c.user_id
  WHERE c.code = upper(btrim(NEW.referred_by_code)) AND u.deleted_at IS NULL AND u.is_active;
  -- An older account of the same mailbox is the inviter's own, or the friend's first.
  IF inviter IS NULL OR EXISTS (SELECT FROM users WHERE inbox_key(email_key) = friend_inbox AND id <> NEW.id) THEN
    RETURN NULL;
  END IF;
  INSERT INTO referrals (user_id, friend_hash, friend_id, created_at)
  VALUES (inviter, hash, NEW.id, NEW.created_at) ON CONFLICT (friend_hash) DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE referral_invitations SET status = 'signed_up', failed_at = NULL
  WHERE user_id = inviter AND inbox = friend_inbox RETURNING id INTO invitation;
  UPDATE referrals SET invitation_id = invitation WHERE user_id = inviter AND friend_hash = hash;
  INSERT INTO credit_entries (user_id, kind, amount, friend_hash, reason, created_at, expires_at) VALUES
    (inviter, 'earned', 50, hash, 'A friend signed up', NEW.created_at, expires),
    (NEW.id, 'earned', 50, NULL, 'Signed up with a friend''s code', NEW.created_at, expires);
  PERFORM tell_referrals(inviter);
  RETURN NULL;
END $$;
CREATE TRIGGER users_referred AFTER INSERT ON users
  FOR EACH ROW WHEN (NEW.referred_by_code <> '') EXECUTE FUNCTION credit_referral();

-- A friend's confirmed address makes the inviter's credits spendable.
CREATE FUNCTION confirm_referral() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  inviter bigint;
BEGIN
  UPDATE referrals SET confirmed_at = NEW.email_confirmed_at WHERE friend_id = NEW.id AND confirmed_at IS NULL
  RETURNING user_id INTO inviter;
  IF inviter IS NOT NULL THEN PERFORM tell_referrals(inviter); END IF;
  PERFORM tell_referrals(NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER users_confirmed AFTER UPDATE OF email_confirmed_at ON users
  FOR EACH ROW WHEN (OLD.email_confirmed_at IS NULL AND NEW.email_confirmed_at IS NOT NULL)
  EXECUTE FUNCTION confirm_referral();

-- What became of an invitation's mail.
CREATE FUNCTION settle_invitation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  inviter bigint;
BEGIN
  UPDATE referral_invitations SET mail_id = NULL,
    status = CASE WHEN NEW.state = 'sent' AND status = 'pending' THEN 'sent' ELSE status END,
    failed_at = CASE WHEN NEW.state = 'failed' AND status = 'pending' THEN NEW.settled_at END
  WHERE mail_id = NEW.id
  RETURNING user_id INTO inviter;
  IF inviter IS NOT NULL THEN PERFORM tell_referrals(inviter); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER system_mails_settled_of_invitation AFTER UPDATE OF state ON system_mails
  FOR EACH ROW WHEN (NEW.state IN ('sent', 'failed') AND OLD.state <> NEW.state)
  EXECUTE FUNCTION settle_invitation();
`
