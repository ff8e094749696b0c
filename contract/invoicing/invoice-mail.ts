import * as z from 'zod/mini'
import { email, SUBJECT_MAX } from '../mail/email.ts'
import { UNDO_SECONDS_MAX } from '../mail/email-writing.ts'
import { endpoint } from '../platform/endpoint.ts'
import { byIdOf, id, instant, requiredLine, requiredText, text } from '../platform/values.ts'

/** What became of a mail: it waits to leave or is leaving, the server took it, refused it, or it was taken back. */
export const INVOICE_MAIL_STATES = ['waiting', 'sent', 'failed', 'withdrawn'] as const
export type InvoiceMailState = (typeof INVOICE_MAIL_STATES)[number]

/** The longest text of a mail about an invoice. */
export const INVOICE_MAIL_TEXT_MAX = 20_000
/** Addresses in a line. */
const ADDRESSES_MAX = 2000

const byId = byIdOf('Invalid invoice ID')

const sentMail = z.object({
  id,
  kind: z.enum(['document', 'reminder']),
  /** The mail among the emails; null once it has been deleted there. */
  email_id: z.nullable(z.number()),
  /** It is among the drafts; others are in Sent. */
  is_draft: z.boolean(),
  to: z.string(),
  subject: z.string(),
  state: z.enum(INVOICE_MAIL_STATES),
  /** Why it failed or still waits, in the mail server's words. */
  reason: z.nullable(z.string()),
  /** The practice server took it: nobody outside Howl has it. */
  practice: z.boolean(),
  /** When it left; before that, when Send was pressed. */
  at: instant,
})
export type SentInvoiceMail = z.infer<typeof sentMail>

const link = z.object({
  /** Null while the link is turned off. */
  url: z.nullable(z.string()),
  /** False if it leads to the machine that Howl runs on, where nobody else can open it. */
  reachable: z.boolean(),
})
export type InvoiceLink = z.infer<typeof link>

export const invoiceMail = {
  proposal: endpoint({
    method: 'GET',
    path: '/invoices/:id/mail',
    summary: 'The mail that Howl proposes for an issued document; nothing is sent',
    params: byId,
    reply: z.object({
      to: z.string(),
      cc: z.string(),
      subject: z.string(),
      text: z.string(),
      /** The PDF that goes with it. */
      file_name: z.string(),
      /** The account that sent the mail it answers; null: the one in use. */
      mailbox_id: z.nullable(z.number()),
      /** Why the address gets no mail; null if it does. */
      refusal: z.nullable(z.string()),
      /** The newest mail was refused or taken back, and these are its words. */
      again: z.boolean(),
    }),
  }),
  send: endpoint({
    method: 'POST',
    path: '/invoices/:id/send',
    summary: 'Mail an issued document as a PDF; the same mail twice within a minute is sent once',
    params: byId,
    body: z.object({
      to: requiredText(ADDRESSES_MAX, 'Please enter an email address'),
      cc: z._default(text(ADDRESSES_MAX), ''),
      subject: requiredLine(SUBJECT_MAX, 'Please enter a subject'),
      text: requiredText(INVOICE_MAIL_TEXT_MAX, 'Please write something'),
      /** The account to send through; by default that of the mail it answers, else the one in use. */
      mailbox_id: z.optional(z.nullable(id)),
      /** Waits so long before it leaves, so that it can be taken back. */
      undo_seconds: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(UNDO_SECONDS_MAX))),
    }),
    /** The mail as the emails show it. */
    reply: email,
    idempotent: true,
  }),
  mails: endpoint({
    method: 'GET',
    path: '/invoices/:id/mails',
    summary: 'The mails about a document, the newest first, and what became of each',
    params: byId,
    reply: z.array(sentMail),
  }),
  link: endpoint({
    method: 'GET',
    path: '/invoices/:id/link',
    summary: 'The link by which the customer looks at an issued document',
    params: byId,
    reply: link,
  }),
  changeLink: endpoint({
    method: 'PUT',
    path: '/invoices/:id/link',
    summary: 'Turn the customer’s link off or on, or replace it: earlier ones then lead nowhere',
    params: byId,
    body: z.object({ change: z.enum(['off', 'on', 'new']) }),
    reply: link,
  }),
}
