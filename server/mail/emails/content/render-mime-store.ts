import { sql } from 'kysely'

/** SQL: whether a mail has more than plain text, that is HTML, copies or files. `b` is its row of `email_bodies`. */
const IS_RICH = "(b.html IS NOT NULL OR b.html_in_raw OR b.cc_line <> '' OR b.files <> '[]')"

/**
 * SQL columns for what rendering a mail needs of its rows `e` (of `emails`) and `b` (of `email_bodies`). User, id and
 * recipients are missing: they come from the mail's delivery.
 */
export const MIME_COLUMNS = sql.raw(`
  e.purpose, e.message_id AS "messageId", e.in_reply_to AS "inReplyTo", e.reference_ids AS "references",
  e.to_line AS "toLine", e.subject, b.text, ${IS_RICH} AS "isRich", e.created_at AS "writtenAt"`)
