/** An older copy of a draft in the Drafts folder is not taken for what another program wrote. */
export const draftVersions = `
-- Of the versions that were last appended, or about to be: the digests of their bytes, newest first.
ALTER TABLE compositions ADD appended_digests text[] NOT NULL DEFAULT '{}';
`
