/** Personal tasks, each for itself or about a contact or a mail. A day is text, as it has no zone. */
export const todos = `
CREATE TABLE todos (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  title text NOT NULL,
  description text NOT NULL DEFAULT '',
  due_date text CHECK (due_date ~ '^\\d{4}-\\d{2}-\\d{2}$'),
  priority text NOT NULL DEFAULT 'medium' CHECK (priority IN ('low', 'medium', 'high')),
  completed boolean NOT NULL DEFAULT false,
  contact_id bigint,
  email_id bigint,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, contact_id) REFERENCES contacts ON DELETE SET NULL (contact_id),
  FOREIGN KEY (user_id, email_id) REFERENCES emails ON DELETE SET NULL (email_id)
);
CREATE INDEX todos_by_contact ON todos (user_id, contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX todos_by_email ON todos (user_id, email_id) WHERE email_id IS NOT NULL;
`
