/** A user may have several accounts of their own. One is the default, also while the practice mailbox is in use. */
export const severalAccounts = `
ALTER TABLE mailboxes ADD COLUMN is_default boolean NOT NULL DEFAULT false;
UPDATE mailboxes SET is_default = true WHERE id IN (
  SELECT DISTINCT ON (user_id) id FROM mailboxes
  WHERE NOT is_practice AND NOT is_system AND disconnected_at IS NULL
  ORDER BY user_id, is_primary DESC, id DESC);
CREATE UNIQUE INDEX mailboxes_one_default ON mailboxes (user_id) WHERE is_default AND disconnected_at IS NULL;
`
