import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { addSystemMail, type SystemMailRow, systemMailState } from './store.ts'
import type { SystemMailState } from './tables.ts'

/** The loop that sends what is in the outbox. */
export const SENDING_SYSTEM_MAIL = 'system mail'

/** Mail that tells of something and asks for nothing is worth sending for this long. */
const NOTICE_HOURS = 72
const LOOK_EVERY_MS = 100

/** A mail from Howl itself to one address. */
export type SystemMail = SystemMailContent & {
  to: string
  /** After this the mail is of no use: a code has expired. Without it, 72 hours from now. */
  expiresAt?: Date
}

/**
 * Puts a mail from Howl into the outbox. It leaves when the transaction has committed, once, by the operator's server
 * (SYSTEM_SMTP_URL), or by the practice server with its text in the terminal.
 *
 * @returns its id, for {@link waitForSystemMail}
 */
export async function queueSystemMail(
  context: Pick<Context, 'clock' | 'secrets'>,
  tx: Queryable,
  { to, expiresAt, ...content }: SystemMail,
): Promise<number> {
  const now = context.clock.now()
  const id = await addSystemMail(tx, {
    to_address: to,
    content_box: context.secrets.seal(JSON.stringify(content), sealedFor(to)),
    created_at: now,
    expires_at: expiresAt ?? new Date(now.getTime() + NOTICE_HOURS * 3_600_000),
  })
  return id
}

/** What a mail in the outbox says; null when it has left. */
export function contentOf(
  context: Pick<Context, 'secrets'>,
  row: Pick<SystemMailRow, 'to_address' | 'content_box'>,
): SystemMailContent | null {
  if (row.content_box === null) return null
  return JSON.parse(context.secrets.open(row.content_box, sealedFor(row.to_address))) as SystemMailContent
}

const sealedFor = (address: string) => `system mail to ${address}`

/** Waits until the mail has left or failed, at most `timeoutMs`; returns its state then. */
export async function waitForSystemMail(
  context: Context,
  id: number,
  timeoutMs: number,
): Promise<SystemMailState> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const state = (await systemMailState(context.db, id)) ?? 'sent'
    if (state === 'sent' || state === 'failed' || Date.now() >= until) return state
    await pause(LOOK_EVERY_MS, undefined, { signal: context.stopping }).catch(() => {})
    if (context.stopping.aborted) return state
  }
}

/** A paragraph of a system mail: text, a link that stands alone, or a code to be typed. */
export type Paragraph = string | { link: string; label: string } | { code: string }

/** What a system mail says, once as plain text and once as HTML. */
export type SystemMailContent = { subject: string; text: string; html: string }

const SIGNATURE = 'Howl'

/**
 * Writes a system mail. Both parts say the same. The first paragraph is what a phone shows beside the subject, so it
 * should hold what the reader needs most.
 */
export function writeSystemMail(subject: string, paragraphs: readonly Paragraph[]): SystemMailContent {
  return {
    subject,
    text: `${paragraphs.map(plainText).join('\n\n')}\n\n${SIGNATURE}\n`,
    html: `<div style="font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#1c1c1a;max-width:34em">${paragraphs
      .map(htmlText)
      .join('')}<p style="color:#6b6b66">${SIGNATURE}</p></div>`,
  }
}

function plainText(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph
  return 'code' in paragraph ? paragraph.code : `${paragraph.label}:\n${paragraph.link}`
}

function htmlText(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`
  if ('code' in paragraph) {
    return `<p style="font:600 24px/1.4 ui-monospace,monospace;letter-spacing:.2em">${escapeHtml(paragraph.code)}</p>`
  }
  const link = escapeHtml(paragraph.link)
  return `<p><a href="${link}">${escapeHtml(paragraph.label)}</a><br><span style="color:#6b6b66;word-break:break-all">${link}</span></p>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}
