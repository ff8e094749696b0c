/**
 * The words of each invoice for the search, every one beginning with its owner's number as those of contacts do. A worker
 * writes them a moment later; until then they are null.
 */
export const invoiceWords = `
ALTER TABLE invoices ADD COLUMN words tsvector;
CREATE INDEX invoices_words ON invoices USING gin (words) WITH (gin_pending_list_limit = 1024);
CREATE INDEX invoices_without_words ON invoices (user_id, id) WHERE words IS NULL;

CREATE FUNCTION forget_invoice_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.words := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER invoices_renamed BEFORE UPDATE OF search ON invoices FOR EACH ROW WHEN (OLD.search <> NEW.search)
  EXECUTE FUNCTION forget_invoice_words();
`
