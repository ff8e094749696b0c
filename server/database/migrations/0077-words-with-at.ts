/** Addresses and other words with an @ are found wherever they stand in a contact, not only as its address. */
export const wordsWithAt = `
INSERT INTO contact_search_queue (user_id, contact_id)
SELECT user_id, id FROM contacts
WHERE concat_ws(' ', name, company, "position", phone, notes) ~ '[@＠﹫]';
`
