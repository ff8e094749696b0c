/** Imports of contacts. */
export const contactImports = `
-- The uploaded file and what is known of it. file_key names the bytes in the blob store until they are removed. What an
-- import did is kept in the other tables, so that it can be undone.
CREATE TABLE contact_imports (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  file_name text NOT NULL,
  file_key text,
  size bigint NOT NULL,
  created_at timestamptz NOT NULL,
  layout jsonb NOT NULL,
  meanings text[],
  finished_at timestamptz,
  undone_at timestamptz,
  created bigint NOT NULL DEFAULT 0,
  updated bigint NOT NULL DEFAULT 0,
  skipped bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  -- tags that it has created
  tag_ids bigint[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (user_id, id)
);
CREATE INDEX contact_imports_by_age ON contact_imports (created_at);

-- Contacts that an import has added, many ids per row: a row for each would cost as much as the contact itself.
CREATE TABLE contact_import_additions (
  user_id bigint NOT NULL,
  import_id bigint NOT NULL,
  part bigint NOT NULL,
  contact_ids bigint[] NOT NULL,
  PRIMARY KEY (user_id, import_id, part),
  FOREIGN KEY (user_id, import_id) REFERENCES contact_imports ON DELETE CASCADE
);

-- Contacts that an import has changed: name, company, position, phone, notes and status before it and after it.
CREATE TABLE contact_import_changes (
  user_id bigint NOT NULL,
  import_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  before text[] NOT NULL,
  after text[] NOT NULL,
  PRIMARY KEY (user_id, import_id, contact_id),
  FOREIGN KEY (user_id, import_id) REFERENCES contact_imports ON DELETE CASCADE
);

-- Tags that an import has given to contacts.
CREATE TABLE contact_import_tags (
  user_id bigint NOT NULL,
  import_id bigint NOT NULL,
  contact_id bigint NOT NULL,
  tag_id bigint NOT NULL,
  PRIMARY KEY (user_id, import_id, contact_id, tag_id),
  FOREIGN KEY (user_id, import_id) REFERENCES contact_imports ON DELETE CASCADE
);

-- Lines whose address is on a later line again.
CREATE TABLE contact_import_repeats (
  user_id bigint NOT NULL,
  import_id bigint NOT NULL,
  line bigint NOT NULL,
  used_line bigint NOT NULL,
  PRIMARY KEY (user_id, import_id, line),
  FOREIGN KEY (user_id, import_id) REFERENCES contact_imports ON DELETE CASCADE
);
`
