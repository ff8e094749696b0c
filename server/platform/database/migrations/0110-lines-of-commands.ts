/** What follows from one command alone is a line of that command, and no trigger. */
export const linesOfCommands = `
-- With their triggers: contact_actions_forgotten, tags_forgotten, invoices_renamed, sequences_forget_members.
DROP FUNCTION forget_action, forget_tag, forget_invoice_words, forget_sequence_members CASCADE;
`
