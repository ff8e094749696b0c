/** Whom an administrator means is looked up while he types. */
export const usersByBeginning = `
CREATE INDEX users_email_beginning ON users (email_key text_pattern_ops);
CREATE INDEX users_username_beginning ON users (username_key text_pattern_ops);
CREATE INDEX users_name_beginning ON users (lower(name) text_pattern_ops);
`
