/** Invoices, their numbers, payments and sums, and exchange rates. */
export const invoices = `
-- Invoices, credit notes and quotes. A date is text, as a day has no zone.
CREATE TABLE invoices (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('invoice', 'credit_note', 'quote')),
  version int NOT NULL DEFAULT 1,
  number text,                          -- null until issue
  credits_id bigint,                    -- the invoice that a credit note corrects
  -- No foreign key: a contact that is deleted and brought back keeps its number, and its invoices.
  contact_id bigint,
  currency text NOT NULL,
  rate double precision NOT NULL,
  rate_date timestamptz,
  issue_date text NOT NULL CHECK (issue_date ~ '^(\\d{4}-\\d{2}-\\d{2})?$'),
  due_date text NOT NULL CHECK (due_date ~ '^(\\d{4}-\\d{2}-\\d{2})?$'),
  content jsonb NOT NULL,               -- what was written; lists do not read it
  customer text NOT NULL,
  search text NOT NULL,                 -- in lower case: customer, buyer's address, numbers
  -- Minor units of the currency.
  net bigint NOT NULL,
  tax bigint NOT NULL,
  discount bigint NOT NULL,
  total bigint NOT NULL CHECK (total BETWEEN 0 AND 1000000000000),
  paid bigint NOT NULL DEFAULT 0 CHECK (paid >= 0),
  credited bigint NOT NULL DEFAULT 0 CHECK (credited BETWEEN 0 AND total),
  issued_at timestamptz,
  sent_at timestamptz,
  viewed_at timestamptz,
  deleted_at timestamptz,               -- only of drafts
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  recurring_id bigint,
  recurring_period int,
  quote_id bigint,                      -- the quote that an invoice was made from
  accepted_at timestamptz,
  accepted_by text NOT NULL DEFAULT '',
  declined_at timestamptz,
  declined_reason text NOT NULL DEFAULT '',
  answered_by_customer boolean NOT NULL DEFAULT false,
  invoiced_at timestamptz,              -- when an invoice made from it was issued
  -- Nobody owes what was only offered.
  due bigint NOT NULL GENERATED ALWAYS AS
    (CASE WHEN kind = 'invoice' THEN greatest(total - paid - credited, 0) ELSE 0 END) STORED,
  -- The status without what depends on today: an open invoice whose due date has passed is overdue.
  phase text NOT NULL GENERATED ALWAYS AS (CASE
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
    ELSE 'issued' END) STORED,
  -- For the search, each beginning with its owner's number as in email_search. A worker writes them; null until then.
  words tsvector,
  PRIMARY KEY (user_id, id),
  CHECK ((issued_at IS NULL) = (number IS NULL)),
  CHECK (deleted_at IS NULL OR issued_at IS NULL),
  CHECK ((kind = 'credit_note') = (credits_id IS NOT NULL)),
  CHECK ((recurring_id IS NULL) = (recurring_period IS NULL)),
  CONSTRAINT invoices_quote_check CHECK (quote_id IS NULL OR kind = 'invoice'),
  CONSTRAINT invoices_answer_check CHECK
    (coalesce(accepted_at, declined_at, invoiced_at) IS NULL OR kind = 'quote' AND issued_at IS NOT NULL),
  CONSTRAINT invoices_one_answer_check CHECK (accepted_at IS NULL OR declined_at IS NULL),
  CONSTRAINT invoices_accepted_by_check CHECK ((accepted_at IS NULL) = (accepted_by = '')),
  CONSTRAINT invoices_quote_money_check CHECK (kind <> 'quote' OR paid = 0 AND credited = 0)
);
CREATE UNIQUE INDEX invoices_number ON invoices (user_id, number) WHERE number IS NOT NULL;
CREATE INDEX invoices_customer ON invoices (user_id, lower(customer), id);
CREATE INDEX invoices_issue_date ON invoices (user_id, issue_date, id);
CREATE INDEX invoices_due_date ON invoices (user_id, due_date, id);
CREATE INDEX invoices_total ON invoices (user_id, total, id);
CREATE INDEX invoices_credit_notes ON invoices (user_id, credits_id) WHERE credits_id IS NOT NULL;
CREATE INDEX invoices_of_contact ON invoices (user_id, contact_id, (coalesce(issued_at, created_at)), id)
  WHERE contact_id IS NOT NULL;
CREATE INDEX invoices_deleted ON invoices (deleted_at) WHERE deleted_at IS NOT NULL;
-- Each period has one invoice: it is written in the transaction that moves the schedule on, and this index refuses a second.
CREATE UNIQUE INDEX invoices_of_period ON invoices (user_id, recurring_id, recurring_period) WHERE recurring_id IS NOT NULL;
CREATE INDEX invoices_phase ON invoices (user_id, phase, id);
-- A quote becomes one invoice, however often it is asked for.
CREATE UNIQUE INDEX invoices_of_quote ON invoices (user_id, quote_id) WHERE quote_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX invoices_quotes ON invoices (user_id, id) WHERE kind = 'quote';
CREATE INDEX invoices_words ON invoices USING gin (words) WITH (gin_pending_list_limit = 1024);
CREATE INDEX invoices_without_words ON invoices (user_id, id) WHERE words IS NULL;
CREATE INDEX invoices_opened ON invoices (user_id, contact_id)
  WHERE contact_id IS NOT NULL AND kind = 'invoice' AND viewed_at IS NOT NULL;

CREATE TABLE invoice_payments (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  invoice_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  paid_on text NOT NULL CHECK (paid_on ~ '^\\d{4}-\\d{2}-\\d{2}$'),
  note text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, invoice_id) REFERENCES invoices ON DELETE CASCADE
);
CREATE INDEX invoice_payments_of_invoice ON invoice_payments (user_id, invoice_id);

-- The pattern for the numbers of a kind, where it is not the usual one.
CREATE TABLE invoice_series (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('invoice', 'credit_note', 'quote')),
  pattern text NOT NULL,
  PRIMARY KEY (user_id, kind)
);

-- The count of the next number of a pattern in its year or month. A number is taken in the transaction that issues its
-- document: a rollback gives it back, so that a series has no gaps.
CREATE TABLE invoice_counters (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  pattern text NOT NULL,
  period text NOT NULL,
  next bigint NOT NULL CHECK (next > 0),
  PRIMARY KEY (user_id, pattern, period)
);

-- Counts and sums, kept by triggers. The due date is that of open invoices, for what is overdue today, and of quotes without
-- an answer, which expire when it has passed; else ''.
CREATE TABLE invoice_totals (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  currency text NOT NULL,
  phase text NOT NULL,
  due_date text NOT NULL,
  invoices bigint NOT NULL,
  paid numeric NOT NULL,
  due numeric NOT NULL,
  PRIMARY KEY (user_id, kind, currency, phase, due_date)
);

-- Schedules that create a new invoice every month or year.
CREATE TABLE recurring_invoices (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  every text NOT NULL CHECK (every IN ('month', 'year')),
  makes text NOT NULL CHECK (makes IN ('draft', 'issued')),
  state text NOT NULL CHECK (state IN ('active', 'paused', 'ended')),
  time_zone text NOT NULL,              -- where its days begin
  -- Periods are numbered. All dates are counted from one of them, so that a 31st comes back after February.
  anchor_on text NOT NULL CHECK (anchor_on ~ '^\\d{4}-\\d{2}-\\d{2}$'),
  anchor_period int NOT NULL,
  next_period int NOT NULL,
  next_on text NOT NULL CHECK (next_on ~ '^\\d{4}-\\d{2}-\\d{2}$'),
  due_at timestamptz,                   -- when that day begins; null unless active
  last_on text,                         -- the date of the last one that was created
  ends_on text CHECK (ends_on ~ '^\\d{4}-\\d{2}-\\d{2}$'),
  times int CHECK (times > 0),
  made int NOT NULL DEFAULT 0,
  fault text NOT NULL DEFAULT '',       -- why the last one was not issued
  contact_id bigint,
  currency text NOT NULL,
  customer text NOT NULL,
  content jsonb NOT NULL,               -- a copy: its invoice may be changed or deleted
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  CHECK ((due_at IS NOT NULL) = (state = 'active'))
);
CREATE INDEX recurring_invoices_due ON recurring_invoices (due_at) WHERE due_at IS NOT NULL;

-- What the contacts domain reads of invoices: who has opened one that was shared with them.
CREATE VIEW contact_opened_invoices AS
SELECT user_id, contact_id FROM invoices
WHERE contact_id IS NOT NULL AND kind = 'invoice' AND viewed_at IS NOT NULL;

-- One statement, in the order of the key: two that change the same rows wait for one another instead of deadlocking.
CREATE FUNCTION count_invoices() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER invoices_added AFTER INSERT ON invoices REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_invoices();
CREATE TRIGGER invoices_changed AFTER UPDATE ON invoices REFERENCING NEW TABLE AS added OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_invoices();
CREATE TRIGGER invoices_gone AFTER DELETE ON invoices REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION count_invoices();

-- An issued document stays as it was issued, and goes only with its account.
CREATE FUNCTION keep_issued_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('howl.purged_user', true) = OLD.user_id::text THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'issued invoices are locked';
END $$;
CREATE TRIGGER invoices_locked BEFORE UPDATE ON invoices FOR EACH ROW
  WHEN (OLD.issued_at IS NOT NULL AND
    (OLD.kind, OLD.number, OLD.credits_id, OLD.currency, OLD.rate, OLD.rate_date, OLD.issue_date, OLD.due_date, OLD.content,
      OLD.net, OLD.tax, OLD.discount, OLD.total, OLD.issued_at) IS DISTINCT FROM
    (NEW.kind, NEW.number, NEW.credits_id, NEW.currency, NEW.rate, NEW.rate_date, NEW.issue_date, NEW.due_date, NEW.content,
      NEW.net, NEW.tax, NEW.discount, NEW.total, NEW.issued_at))
  EXECUTE FUNCTION keep_issued_invoice();
CREATE TRIGGER invoices_kept BEFORE DELETE ON invoices FOR EACH ROW WHEN (OLD.issued_at IS NOT NULL)
  EXECUTE FUNCTION keep_issued_invoice();
-- The invoice of a quote keeps saying which quote it came from.
CREATE TRIGGER invoices_quote_kept BEFORE UPDATE ON invoices FOR EACH ROW
  WHEN (OLD.issued_at IS NOT NULL AND OLD.quote_id IS DISTINCT FROM NEW.quote_id)
  EXECUTE FUNCTION keep_issued_invoice();

-- The worker writes the words again.
CREATE FUNCTION forget_invoice_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.words := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER invoices_renamed BEFORE UPDATE OF search ON invoices FOR EACH ROW WHEN (OLD.search <> NEW.search)
  EXECUTE FUNCTION forget_invoice_words();

-- Exchange rates, kept so that a service that fails takes nothing away.
CREATE TABLE exchange_rates (
  base text PRIMARY KEY,                -- the currency of the one unit
  rates jsonb,                          -- what it is worth, by currency; null until the first answer
  as_of timestamptz,                    -- when the service made them
  fetched_at timestamptz,
  source text,                          -- the host of the service
  next_try_at timestamptz NOT NULL      -- the process that moves it on asks the service
);
`
