/** Quotes: documents with a series and an end of their own, which the customer answers and which become invoices. */
export const quotes = `
ALTER TABLE invoices
  DROP CONSTRAINT invoices_kind_check,
  ADD CONSTRAINT invoices_kind_check CHECK (kind IN ('invoice', 'credit_note', 'quote')),
  ADD quote_id bigint,                  -- the quote that an invoice was made from
  ADD accepted_at timestamptz,
  ADD accepted_by text NOT NULL DEFAULT '',
  ADD declined_at timestamptz,
  ADD declined_reason text NOT NULL DEFAULT '',
  ADD answered_by_customer boolean NOT NULL DEFAULT false,
  ADD invoiced_at timestamptz,          -- when an invoice made from it was issued
  ADD CONSTRAINT invoices_quote_check CHECK (quote_id IS NULL OR kind = 'invoice'),
  ADD CONSTRAINT invoices_answer_check CHECK
    (coalesce(accepted_at, declined_at, invoiced_at) IS NULL OR kind = 'quote' AND issued_at IS NOT NULL),
  ADD CONSTRAINT invoices_one_answer_check CHECK (accepted_at IS NULL OR declined_at IS NULL),
  ADD CONSTRAINT invoices_accepted_by_check CHECK ((accepted_at IS NULL) = (accepted_by = '')),
  ADD CONSTRAINT invoices_quote_money_check CHECK (kind <> 'quote' OR paid = 0 AND credited = 0);

-- Nobody owes what was only offered. The columns are made again, with what reads them: only PostgreSQL 17 and later can
-- change the expression of a column.
DROP VIEW mails_taken_back;
DROP TRIGGER invoices_remind ON invoices;
ALTER TABLE invoices
  DROP COLUMN due,
  DROP COLUMN phase,
  ADD due bigint NOT NULL GENERATED ALWAYS AS
    (CASE WHEN kind = 'invoice' THEN greatest(total - paid - credited, 0) ELSE 0 END) STORED,
  ADD phase text NOT NULL GENERATED ALWAYS AS (CASE
    WHEN deleted_at IS NOT NULL THEN 'deleted'
    WHEN issued_at IS NULL THEN 'draft'
    WHEN invoiced_at IS NOT NULL THEN 'invoiced'
    WHEN accepted_at IS NOT NULL THEN 'accepted'
    WHEN declined_at IS NOT NULL THEN 'declined'
    WHEN kind = 'invoice' AND credited = total AND credited > 0 THEN 'credited'
    WHEN kind = 'invoice' AND paid + credited >= total THEN 'paid'
    WHEN kind = 'invoice' AND paid > 0 THEN 'part_paid'
    WHEN viewed_at IS NOT NULL THEN 'viewed'
    WHEN sent_at IS NOT NULL THEN 'sent'
    ELSE 'issued' END) STORED;
CREATE INDEX invoices_phase ON invoices (user_id, phase, id);
CREATE TRIGGER invoices_remind AFTER UPDATE ON invoices FOR EACH ROW
  WHEN (NEW.kind = 'invoice' AND NEW.issued_at IS NOT NULL AND (OLD.issued_at IS NULL OR OLD.due <> NEW.due
    OR OLD.sent_at IS DISTINCT FROM NEW.sent_at))
  EXECUTE FUNCTION note_invoice_for_reminders();
CREATE VIEW mails_taken_back AS
  SELECT r.user_id, r.email_id FROM payment_reminders r
  JOIN invoices i ON i.user_id = r.user_id AND i.id = r.invoice_id
  WHERE r.email_id IS NOT NULL AND (r.state = 'withdrawn' OR i.due <> r.sent_due);

-- A quote becomes one invoice, however often somebody asks for it.
CREATE UNIQUE INDEX invoices_of_quote ON invoices (user_id, quote_id) WHERE quote_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX invoices_quotes ON invoices (user_id, id) WHERE kind = 'quote';

ALTER TABLE invoice_series
  DROP CONSTRAINT invoice_series_kind_check,
  ADD CONSTRAINT invoice_series_kind_check CHECK (kind IN ('invoice', 'credit_note', 'quote'));

-- The due date is also that of quotes without an answer: when it has passed, they have expired.
CREATE OR REPLACE FUNCTION count_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT *, 1 AS sign FROM added'
    WHEN 'DELETE' THEN 'SELECT *, -1 AS sign FROM gone WHERE user_id::text <> coalesce(current_setting(''howl.purged_user'', true), '''')'
    ELSE 'SELECT *, 1 AS sign FROM added UNION ALL SELECT *, -1 AS sign FROM gone' END;
BEGIN
  EXECUTE 'INSERT INTO invoice_totals AS t (user_id, kind, currency, phase, due_date, invoices, paid, due)
    SELECT user_id, kind, currency, phase, CASE WHEN due > 0 AND phase <> ''draft''
        OR kind = ''quote'' AND phase IN (''issued'', ''sent'', ''viewed'') THEN due_date ELSE '''' END AS day,
      sum(sign) AS invoices, sum(sign * paid) AS paid, sum(sign * due) AS due
    FROM (' || changes || ') changed WHERE phase <> ''deleted''
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(sign) <> 0 OR sum(sign * paid) <> 0 OR sum(sign * due) <> 0 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (user_id, kind, currency, phase, due_date) DO UPDATE
    SET invoices = t.invoices + excluded.invoices, paid = t.paid + excluded.paid, due = t.due + excluded.due';
  RETURN NULL;
END $$;

-- The invoice of a quote goes on saying which quote it came from.
CREATE TRIGGER invoices_quote_kept BEFORE UPDATE ON invoices FOR EACH ROW
  WHEN (OLD.issued_at IS NOT NULL AND OLD.quote_id IS DISTINCT FROM NEW.quote_id)
  EXECUTE FUNCTION keep_issued_invoice();
`
