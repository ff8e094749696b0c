/** Sign-ups of one mailbox at the very same moment: the second one earns nothing, where it failed now and then. */
export const friendsAtOnce = `
-- A sign-up with a valid code: both earn 50 credits, in the transaction of the sign-up. Sign-ups at the same time do not wait
-- for one another; the unique indexes decide between those of one mailbox. ON CONFLICT names neither: the other one would then
-- fail the sign-up. A wrong code earns nothing.
CREATE OR REPLACE FUNCTION credit_referral() RETURNS trigger LANGUAGE plpgsql AS $$
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
  VALUES (inviter, hash, NEW.id, NEW.created_at) ON CONFLICT DO NOTHING;
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
`
