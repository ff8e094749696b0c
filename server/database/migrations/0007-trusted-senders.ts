/** Senders whose mails may load pictures from elsewhere without being asked each time. */
export const trustedSenders = `
CREATE TABLE trusted_senders (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  address_key text NOT NULL,
  trusted_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, address_key)
);
`
