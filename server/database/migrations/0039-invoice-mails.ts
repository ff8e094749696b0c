/** Mails about invoices, and the links by which customers look at them. */
export const invoiceMails = `
CREATE TABLE invoice_mails (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  invoice_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('document', 'reminder')),
  -- The mail among the user's emails. No foreign key: it may be deleted there, and the history stays.
  email_id bigint NOT NULL,
  message_id text NOT NULL,
  to_line text NOT NULL,
  cc_line text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  is_practice boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'sent', 'failed', 'withdrawn')),
  reason text,
  settled_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, invoice_id) REFERENCES invoices ON DELETE CASCADE
);
CREATE INDEX invoice_mails_of_invoice ON invoice_mails (user_id, invoice_id, id);
-- Few at any time: those of which it is not known yet what became of them.
CREATE INDEX invoice_mails_waiting ON invoice_mails (user_id, id) WHERE state = 'waiting';
-- Those that somebody may still send by hand, and those that go with practice.
CREATE INDEX invoice_mails_unsettled ON invoice_mails (created_at) WHERE state IN ('failed', 'withdrawn') OR is_practice;

-- Without a row, a document's link is on and its version is 1. A token names the version that it was made for.
CREATE TABLE invoice_links (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  invoice_id bigint NOT NULL,
  version int NOT NULL,
  off_at timestamptz,
  PRIMARY KEY (user_id, invoice_id),
  FOREIGN KEY (user_id, invoice_id) REFERENCES invoices ON DELETE CASCADE
);
`
