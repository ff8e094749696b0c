/** Mails about invoices, and reminders of unpaid ones. */
export const invoiceMail = `
-- Mails about invoices, as they were written.
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
-- Few at any time: those whose result is not known yet.
CREATE INDEX invoice_mails_waiting ON invoice_mails (user_id, id) WHERE state = 'waiting';
-- Those that somebody may still send by hand, and those that go with practice.
CREATE INDEX invoice_mails_unsettled ON invoice_mails (created_at) WHERE state IN ('failed', 'withdrawn') OR is_practice;

-- The links by which customers see their documents. Without a row, the link is on and its version is 1. A token names the
-- version that it was made for.
CREATE TABLE invoice_links (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  invoice_id bigint NOT NULL,
  version int NOT NULL,
  off_at timestamptz,
  PRIMARY KEY (user_id, invoice_id),
  FOREIGN KEY (user_id, invoice_id) REFERENCES invoices ON DELETE CASCADE
);

-- Without a row, reminders are off.
CREATE TABLE payment_reminder_settings (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  is_on boolean NOT NULL,
  days_before int[] NOT NULL,
  days_after int[] NOT NULL,
  hour int NOT NULL CHECK (hour BETWEEN 0 AND 23),
  time_zone text NOT NULL,
  subject text NOT NULL,
  text_before text NOT NULL,
  text_after text NOT NULL,
  words_changed_at timestamptz NOT NULL
);

-- Invoices whose reminders are switched off.
CREATE TABLE payment_reminder_switches (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  invoice_id bigint NOT NULL,
  PRIMARY KEY (user_id, invoice_id),
  FOREIGN KEY (user_id, invoice_id) REFERENCES invoices ON DELETE CASCADE
);

CREATE TABLE payment_reminders (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  invoice_id bigint NOT NULL,
  days int NOT NULL,                    -- from the due date on
  shown_at timestamptz NOT NULL,        -- since when its text can be seen
  due_at timestamptz NOT NULL,
  -- 'withdrawn': taken back while its mail waited; the mail is still to be cleared away.
  state text NOT NULL CHECK (state IN ('upcoming', 'sent', 'skipped', 'passed', 'stopped', 'withdrawn')),
  reason text,
  -- Texts of its own, before their placeholders are filled.
  subject text,
  text text,
  -- Its mail, as it left: to whom, with which text, and what was left to pay then.
  email_id bigint,
  to_line text,
  cc_line text,
  sent_subject text,
  sent_text text,
  sent_due bigint,
  settled_at timestamptz,
  PRIMARY KEY (user_id, id),
  UNIQUE (user_id, invoice_id, days),
  FOREIGN KEY (user_id, invoice_id) REFERENCES invoices ON DELETE CASCADE
);
CREATE INDEX payment_reminders_due ON payment_reminders (due_at) WHERE state = 'upcoming';
CREATE INDEX payment_reminders_upcoming ON payment_reminders (user_id, due_at, id) WHERE state = 'upcoming';
CREATE INDEX payment_reminders_withdrawn ON payment_reminders (user_id) WHERE state = 'withdrawn';
CREATE INDEX payment_reminders_email ON payment_reminders (user_id, email_id) WHERE email_id IS NOT NULL;

-- Invoices whose reminders are to be planned again.
CREATE TABLE payment_reminder_work (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  invoice_id bigint NOT NULL,
  PRIMARY KEY (user_id, invoice_id)
);

-- Mails that must not leave any more, whatever the state of their delivery. A worker asks this before it claims a mail.
CREATE VIEW mails_taken_back AS
  SELECT r.user_id, r.email_id FROM payment_reminders r
  JOIN invoices i ON i.user_id = r.user_id AND i.id = r.invoice_id
  WHERE r.email_id IS NOT NULL AND (r.state = 'withdrawn' OR i.due <> r.sent_due);

-- Takes back the reminders of an invoice that have not been handed over. A worker that has claimed one finds its claim lost
-- before the final dot.
CREATE FUNCTION withdraw_payment_reminders(owner bigint, invoice bigint, why text, at timestamptz) RETURNS void
LANGUAGE sql AS $$
  WITH taken_back AS (
    UPDATE deliveries d SET state = 'failed', queue = 'failed', reason = why, worker_id = NULL, settled_at = at
    FROM payment_reminders r
    WHERE r.user_id = owner AND r.invoice_id = invoice AND r.state = 'sent'
      AND d.user_id = owner AND d.email_id = r.email_id
      AND d.state IN ('queued', 'held', 'claimed', 'deferred', 'unsure')
    RETURNING d.email_id)
  UPDATE payment_reminders r SET state = 'withdrawn', reason = why
  FROM taken_back t WHERE r.user_id = owner AND r.email_id = t.email_id
$$;

-- An invoice was issued or sent, or what is left to pay has changed: a mail that asks for another amount is taken back in the
-- same transaction.
CREATE FUNCTION note_invoice_for_reminders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM payment_reminder_settings WHERE user_id = NEW.user_id) THEN RETURN NULL; END IF;
  INSERT INTO payment_reminder_work (user_id, invoice_id) VALUES (NEW.user_id, NEW.id) ON CONFLICT DO NOTHING;
  IF NEW.due <> OLD.due THEN
    PERFORM withdraw_payment_reminders(NEW.user_id, NEW.id,
      CASE NEW.due WHEN 0 THEN 'Nothing is left to pay' ELSE 'The amount has changed' END, NEW.updated_at);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER invoices_remind AFTER UPDATE ON invoices FOR EACH ROW
  WHEN (NEW.kind = 'invoice' AND NEW.issued_at IS NOT NULL AND (OLD.issued_at IS NULL OR OLD.due <> NEW.due
    OR OLD.sent_at IS DISTINCT FROM NEW.sent_at))
  EXECUTE FUNCTION note_invoice_for_reminders();
`
