import { readInvitation } from '../mail-text/invitation.ts'
import { classifyReply } from '../mail-text/intents/intents.ts'
import { isReadInFull, parseMail } from '../mail-text/parse.ts'
import { withForwarded, withQuote } from '../mail-text/replies/quote.ts'
import { newWords } from '../mail-text/replies/replies.ts'
import { sanitizeMailHtml } from '../mail-text/sanitize.ts'
import { sanitizeOutgoingHtml } from '../mail-text/sanitize-outgoing.ts'
import { seenWords } from '../mail-text/seen-words.ts'
import { searchVector } from '../mail-text/search-index.ts'
import { wantedTime } from '../mail-text/propose-slot.ts'

/** What is done with words that strangers wrote when somebody opens, answers or looks for a mail. Nothing here has state. */
export const MAIL_TASKS = {
  attachments: async (raw: Uint8Array) => (await parseMail(raw)).attachments,
  classifyReply,
  html: async (raw: Uint8Array) => (await parseMail(raw)).html ?? null,
  invitation: async (raw: Uint8Array) => {
    const { calendar } = await parseMail(raw)
    return calendar === undefined ? null : readInvitation(calendar)
  },
  isReadInFull: async (raw: Uint8Array) => isReadInFull(await parseMail(raw)),
  newWords,
  sanitizeMailHtml: (html: string) => sanitizeMailHtml(html),
  sanitizeForFrame: (html: string, allowRemote: boolean, images: ReadonlyMap<string, string>) =>
    sanitizeMailHtml(html, { allowRemote, cid: (id) => images.get(id) ?? null }).html,
  sanitizeOutgoingHtml,
  searchVector,
  /** What a person sees of an HTML mail, without quotes and signatures. */
  seenNewWords: (html: string) => newWords(seenWords(html)),
  wantedTime,
  withForwarded,
  withQuote,
} as const

export type MailTasks = typeof MAIL_TASKS
export type TaskName = keyof MailTasks
/** What a thread is asked, and what it answers. */
export type TaskRequest = { name: TaskName; args: unknown[] }
export type TaskResult = { value: unknown } | { error: string }
