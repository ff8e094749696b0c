import type { Email } from '#contract/emails.ts'

/** What can be written: a new mail, one that answers another, or one that is begun already. */
export type Writing =
  | {
      kind: 'new'
      /** Whom it goes to, where that is known. */
      to?: string
    }
  | {
      kind: 'reply' | 'reply-all' | 'forward' | 'follow-up' | 'generate-reply' | 'draft'
      /** The mail that is answered, forwarded or followed up; for `draft` the draft or scheduled mail itself. */
      mail: Email
    }

/** Opens what is written in, over the page. Keys and buttons all come through here. */
export type StartWriting = (writing: Writing) => void
