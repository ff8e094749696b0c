/** Confirmed addresses, invitations of friends, and the credits that both earn. */
export const referrals = `
-- Accounts that were opened before there were confirmations count as confirmed.
ALTER TABLE users ADD COLUMN email_confirmed_at timestamptz;
UPDATE users SET email_confirmed_at = created_at;

-- The newest link that confirms an account's address. It is kept as a signature only.
CREATE TABLE email_confirmations (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  signature text NOT NULL,
  expires_at timestamptz NOT NULL,
  requested_at timestamptz[] NOT NULL,  -- the requests of the last hour
  PRIMARY KEY (user_id)
);
CREATE UNIQUE INDEX email_confirmations_signature ON email_confirmations (signature);

-- The mailbox that an address leads to: without what stands after a plus, and at Gmail without dots.
CREATE FUNCTION inbox_key(address text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN host IN ('gmail.com', 'googlemail.com') THEN replace(bare, '.', '') || '@gmail.com'
    ELSE bare || '@' || host END
  FROM (SELECT coalesce(nullif(split_part(name, '+', 1), ''), name) AS bare, host
        FROM (SELECT split_part(lower(address), '@', 1) AS name, split_part(lower(address), '@', 2) AS host) parts) cut
$$;
CREATE INDEX users_inbox ON users (inbox_key(email_key));

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

-- Friends who signed up with the user's code. The row outlives the friend's account, so that nobody is counted twice.
CREATE TABLE referrals (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  friend_hash text NOT NULL,            -- of inbox_key(their address)
  friend_id bigint NOT NULL,
  invitation_id bigint,                 -- null: they had the code from elsewhere
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz,             -- when the friend confirmed the address
  PRIMARY KEY (user_id, friend_hash)
);
CREATE UNIQUE INDEX referrals_friend ON referrals (friend_hash);
CREATE INDEX referrals_friend_id ON referrals (friend_id);
CREATE INDEX referrals_newest ON referrals (user_id, created_at DESC);

-- The ledger of credits. Rows are only ever added. Spending and expiry name the row that they take from.
CREATE TABLE credit_entries (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('earned', 'spent', 'expired')),
  amount int NOT NULL CHECK (amount <> 0 AND (amount > 0) = (kind = 'earned')),
  friend_hash text,                     -- earned by inviting this friend; null: for the user's own sign-up
  of_entry bigint,                      -- the earned row that is spent or has expired
  reason text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, of_entry) REFERENCES credit_entries ON DELETE CASCADE,
  CHECK ((kind = 'earned') = (of_entry IS NULL) AND (kind = 'earned') = (expires_at IS NOT NULL))
);
CREATE INDEX credit_entries_taken ON credit_entries (user_id, of_entry) WHERE of_entry IS NOT NULL;
CREATE UNIQUE INDEX credit_entries_expired ON credit_entries (user_id, of_entry) WHERE kind = 'expired';
CREATE INDEX credit_entries_expiring ON credit_entries (expires_at) WHERE kind = 'earned';

-- A row goes only with its account.
CREATE FUNCTION keep_credit_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM users WHERE id = OLD.user_id AND deleted_at IS NULL) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'credit_entries is append-only';
END $$;
CREATE TRIGGER credit_entries_kept BEFORE UPDATE OR DELETE ON credit_entries
  FOR EACH ROW EXECUTE FUNCTION keep_credit_entries();
CREATE TRIGGER credit_entries_not_emptied BEFORE TRUNCATE ON credit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION keep_credit_entries();

CREATE FUNCTION tell_referrals(owner bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('howl_live', json_build_object('userId', owner, 'event', json_build_object('topic', 'referrals'))::text)
$$;

-- A sign-up with a good code: both earn 50 credits, in the transaction of the sign-up. Sign-ups at the same time do not wait
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
