import type { Email } from '#contract/mail/emails.ts'

/** What the compose dialog can open: a new mail, a reply or forward, or an existing draft. */
export type Writing =
  | {
      kind: 'new'
      /** The recipient, if known. */
      to?: string
    }
  | {
      kind: 'reply' | 'reply-all' | 'forward' | 'follow-up' | 'generate-reply' | 'draft'
      /** The mail to reply to, forward or follow up; for `draft`, the draft or scheduled mail itself. */
      mail: Email
    }

/** Opens the compose dialog over the page. Keys and buttons both use it. */
export type StartWriting = (writing: Writing) => void
