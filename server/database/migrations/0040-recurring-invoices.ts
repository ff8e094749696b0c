/** Invoices that are made anew every month or year. */
export const recurringInvoices = `
CREATE TABLE recurring_invoices (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  every text NOT NULL CHECK (every IN ('month', 'year')),
  makes text NOT NULL CHECK (makes IN ('draft', 'issued')),
  state text NOT NULL CHECK (state IN ('active', 'paused', 'ended')),
  time_zone text NOT NULL,              -- where its days begin
  -- The periods are numbered. The dates of all of them are counted from one, so that a 31st comes back after February.
  anchor_on text NOT NULL CHECK (anchor_on ~ '^\\d{4}-\\d{2}-\\d{2}$'),
  anchor_period int NOT NULL,
  next_period int NOT NULL,
  next_on text NOT NULL CHECK (next_on ~ '^\\d{4}-\\d{2}-\\d{2}$'),
  due_at timestamptz,                   -- when that day begins; null unless active
  last_on text,                         -- the date of the last one that was made
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

-- Each period is made once: its invoice is written in the transaction that moves the schedule on, and this index refuses a
-- second one.
ALTER TABLE invoices ADD COLUMN recurring_id bigint, ADD COLUMN recurring_period int,
  ADD CHECK ((recurring_id IS NULL) = (recurring_period IS NULL));
CREATE UNIQUE INDEX invoices_of_period ON invoices (user_id, recurring_id, recurring_period) WHERE recurring_id IS NOT NULL;
`
