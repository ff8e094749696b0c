import type { Delivery, Email, EmailDetail, Intent } from '#contract/emails.ts'
import { sanitizeMailHtml } from '../mail/sanitize.ts'
import { newWords } from '../mail/replies.ts'
import type { Context } from '../context.ts'
import { frameUrl } from './frame-link.ts'
import type { EmailBodyRow, ListedEmail } from './store.ts'
import type { EmailFolder } from './tables.ts'

const STATUS: Record<EmailFolder, Email['status']> = {
  inbox: 'received',
  sent: 'sent',
  drafts: 'draft',
  scheduled: 'scheduled',
  archived: 'archived',
  spam: 'spam',
  trash: 'trashed',
  deleted: 'deleted',
}

/** A mail as lists show it. */
export function presentEmail(row: ListedEmail): Email {
  return {
    id: row.id,
    subject: row.subject,
    from: row.from_address,
    from_name: row.from_name,
    to: row.to_line,
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
  }
}

function presentDelivery(row: ListedEmail): Delivery | null {
  if (row.delivery_state === null) return null
  const state = { claimed: 'sending', committed: 'sending', held: 'queued' } as const
  const shown =
    row.delivery_state in state
      ? state[row.delivery_state as keyof typeof state]
      : (row.delivery_state as Delivery['state'])
  return {
    state: shown,
    ...(row.delivery_reason === null ? {} : { reason: row.delivery_reason }),
    ...(shown === 'deferred' && row.delivery_next_try_at !== null
      ? { next_try_at: row.delivery_next_try_at.toISOString() }
      : {}),
  }
}

/** A mail with all its words. HTML travels by its own route, into its own frame. */
export function presentDetail(
  context: Context,
  row: ListedEmail,
  body: EmailBodyRow | undefined,
): EmailDetail {
  const files = (body?.files ?? []).map((file, index) => ({
    id: index,
    name: file.name,
    type: file.type,
    size: file.size,
    inline: file.inline,
  }))
  const text = body?.text ?? ''
  return {
    ...presentEmail(row),
    content: text,
    cc: body?.cc_line ?? '',
    bcc: body?.bcc_line ?? '',
    reply_to: body?.reply_to_line ?? '',
    message_id: row.message_id,
    in_reply_to: row.in_reply_to,
    new_words: newWords(text),
    html_url: body?.html == null ? null : frameUrl(context, row.user_id, row.id),
    remote_parts: body?.html == null ? 0 : sanitizeMailHtml(body.html, {}).remote,
    kind: row.kind,
    files: files.filter((file) => !file.inline).map(({ inline: _, ...file }) => file),
  }
}
