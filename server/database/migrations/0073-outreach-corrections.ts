/** Sending hours over midnight, and which call has put somebody into a sequence. */
export const outreachCorrections = `
-- An end before the beginning is one of the next day.
ALTER TABLE sending_rules DROP CONSTRAINT sending_rules_check;
ALTER TABLE sending_rules ADD CONSTRAINT sending_rules_check
  CHECK (until_hour BETWEEN 1 AND 24 AND until_hour <> from_hour);

-- Those whom one call has put in, so that it can be undone.
ALTER TABLE sequence_members ADD enrolment uuid;
`
