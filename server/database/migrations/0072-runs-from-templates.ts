/** Runs that are written from a template of the user's, and their first mails. */
export const runsFromTemplates = `
ALTER TABLE outreach_batches
  -- {"id", "name", "subject", "body"} as they were when the run began; null: written from the brief
  ADD COLUMN template jsonb;

-- A contact's mail is kept for each text that it was shown from, so that trying another one loses no change.
ALTER TABLE outreach_previews
  ADD COLUMN template_id bigint NOT NULL DEFAULT 0,  -- 0: written from the brief
  DROP CONSTRAINT outreach_previews_pkey,
  ADD PRIMARY KEY (user_id, contact_id, template_id);
`
