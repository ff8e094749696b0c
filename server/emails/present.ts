import type { EmailDetail, EmailSummary, Intent } from '#contract/emails.ts'
import type { Context } from '../context.ts'
import { frameUrl, type FrameReader } from './content/frame-link.ts'
import type { MailContent } from './content/mail-content.ts'
import { type ContactNames, recipientNames } from './messages/recipient-names.ts'
import type { EmailBodyRow, ListedEmail, Composition } from './messages/store.ts'
import type { EmailFolder } from './tables.ts'
import type { MailFile } from './content/uploads-store.ts'
import { presentDelivery } from './messages/present-delivery.ts'
const NO_NAMES: ContactNames = new Map()

const STATUS: Record<EmailFolder, EmailSummary['status']> = {
  inbox: 'received',
  sent: 'sent',
  drafts: 'draft',
  scheduled: 'scheduled',
  archived: 'archived',
  spam: 'spam',
  trash: 'trashed',
  deleted: 'deleted',
}

/** A mail as lists show it; `names` are those of contacts that its row does not bring. */
export function presentEmail(row: ListedEmail, names: ContactNames = NO_NAMES): EmailSummary {
  return {
    id: row.id,
    subject: row.subject,
    from: row.from_address,
    from_name: row.from_name,
    to: row.to_line,
    to_names: recipientNames(row, names),
    content: row.snippet,
    status: STATUS[row.folder],
    isRead: row.is_read,
    isStarred: row.is_starred,
    timestamp: row.occurred_at.toISOString(),
    attachments: row.attachment_names,
    tags: [],
    original_folder: row.original_folder,
    schedule_at: row.schedule_at?.toISOString() ?? null,
    thread_id: row.thread_id,
    contact_id: row.contact_id,
    intent: row.intent as Intent | null,
    delivery: presentDelivery(row),
    collapsed: row.collapsed,
    mailbox_id: row.mailbox_id,
    undo_until: undoUntil(row),
  }
}

/** A mail that is not to leave before an instant can be taken back until then. */
function undoUntil({
  delivery_state: state,
  delivery_next_try_at: at,
  created_at: writtenAt,
}: ListedEmail): string | null {
  return state === 'queued' && at !== null && at > writtenAt ? at.toISOString() : null
}

/** What is known of an opened mail from elsewhere than its rows. */
type OpenedEmail = MailContent & {
  remoteAllowed: boolean
  /** Of a mail that was written here. */
  composition?: Composition | undefined
  files?: readonly MailFile[]
}

/** A mail with all its words. What a page shows of its HTML travels by a route of its own, into a frame of its own. */
export function presentDetail(
  context: Context,
  row: ListedEmail,
  body: EmailBodyRow | undefined,
  known: OpenedEmail,
  reader: FrameReader,
): EmailDetail {
  const files = (body?.files ?? []).map((file, index) => ({
    id: index,
    name: file.name,
    type: file.type,
    size: file.size,
    inline: file.inline,
    upload_id: known.files?.[index]?.id,
    isQuoted: known.files?.[index]?.isQuoted === true,
  }))
  return {
    ...presentEmail(row),
    content: known.text,
    cc: body?.cc_line ?? '',
    bcc: body?.bcc_line ?? '',
    reply_to: body?.reply_to_line ?? '',
    message_id: row.message_id,
    in_reply_to: row.in_reply_to,
    new_words: known.newWords,
    html_url: !known.hasHtml ? null : frameUrl(context, reader, row.id),
    remote_parts: known.remoteParts,
    remote_allowed: known.remoteAllowed,
    kind: row.kind,
    html: known.html,
    shown_in_full: known.inFull,
    quote_of: known.composition?.quote_of ?? null,
    forward_of: known.composition?.forward_of ?? null,
    invitation: known.invitation,
    attachments: files
      .filter((file) => !file.inline && !(file.isQuoted && row.folder === 'scheduled'))
      .map(({ inline: _, isQuoted: __, upload_id: uploadId, ...file }) => ({
        ...file,
        ...(uploadId === undefined ? {} : { upload_id: uploadId }),
      })),
  }
}
