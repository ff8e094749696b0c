import { shownSender } from '#contract/formats/shown-sender.ts'
import type { EmailDetail, EmailSummary, Intent } from '#contract/mail/emails.ts'
import type { Context } from '../../platform/context.ts'
import { frameUrl, type FrameReader } from './content/frame.ts'
import type { OpenedEmail } from './content/open-email.ts'
import { type ContactNames, recipientNames } from './messages/recipient-names.ts'
import type { ListedEmail } from './messages/store.ts'
import type { EmailFolder } from './tables.ts'
import { DELIVERY_REPORTS } from './messages/summary.ts'
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

/** A mail as lists show it. `names`: the contact names of recipients, apart from the row's own contact. */
export function presentEmail(row: ListedEmail, names: ContactNames = NO_NAMES): EmailSummary {
  return {
    id: row.id,
    subject: row.subject,
    from: row.from_address,
    from_name: row.from_name,
    from_line: row.from_line,
    sender: shownSender({ from: row.from_address, from_name: row.from_name, from_line: row.from_line }),
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
    is_report: row.collapse_key === DELIVERY_REPORTS,
    mailbox_id: row.mailbox_id,
    undo_until: undoUntil(row),
  }
}

/** Sending a mail that is queued for a later time can be undone until then. */
function undoUntil({
  delivery_state: state,
  delivery_next_try_at: at,
  created_at: writtenAt,
}: ListedEmail): string | null {
  return state === 'queued' && at !== null && at > writtenAt ? at.toISOString() : null
}

/** A mail with its content. Its HTML is shown in a frame, which has a route of its own. */
export function presentDetail(
  context: Context,
  { row, body, content, remoteAllowed, composition, files: uploads }: OpenedEmail,
  reader: FrameReader,
): EmailDetail {
  const files = (body?.files ?? []).map((file, index) => ({
    id: index,
    name: file.name,
    type: file.type,
    size: file.size,
    inline: file.inline,
    upload_id: uploads[index]?.id,
    isQuoted: uploads[index]?.isQuoted === true,
  }))
  return {
    ...presentEmail(row),
    content: content.text,
    cc: body?.cc_line ?? '',
    bcc: body?.bcc_line ?? '',
    reply_to: body?.reply_to_line ?? '',
    message_id: row.message_id,
    in_reply_to: row.in_reply_to,
    new_words: content.newWords,
    html_url: !content.hasHtml ? null : frameUrl(context, reader, row.id),
    remote_parts: content.remoteParts,
    remote_allowed: remoteAllowed,
    kind: row.kind,
    html: content.html,
    shown_in_full: content.inFull,
    quote_of: composition?.quote_of ?? null,
    forward_of: composition?.forward_of ?? null,
    invitation: content.invitation,
    attachments: files
      .filter((file) => !file.inline && !(file.isQuoted && row.folder === 'scheduled'))
      .map(({ inline: _, isQuoted: __, upload_id: uploadId, ...file }) => ({
        ...file,
        ...(uploadId === undefined ? {} : { upload_id: uploadId }),
      })),
  }
}
