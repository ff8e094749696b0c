/** Sending hours over midnight. */
export const outreachCorrections = `
-- An end before the beginning is one of the next day.
ALTER TABLE sending_rules DROP CONSTRAINT sending_rules_check;
ALTER TABLE sending_rules ADD CONSTRAINT sending_rules_check
  CHECK (until_hour BETWEEN 1 AND 24 AND until_hour <> from_hour);
`
