import type { Generated } from 'kysely'

export type InvoiceMailsTable = {
  user_id: number
  id: Generated<number>
  invoice_id: number
  kind: 'document' | 'reminder'
  email_id: number
  message_id: string
  to_line: string
  cc_line: string
  subject: string
  text: string
  is_practice: boolean
  state: 'waiting' | 'sent' | 'failed' | 'withdrawn'
  /** The mail server's words. */
  reason: string | null
  settled_at: Date | null
  created_at: Date
}

/** The link to a document that is not as it was at first. */
export type InvoiceLinksTable = {
  user_id: number
  invoice_id: number
  version: number
  off_at: Date | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    invoice_mails: InvoiceMailsTable
    invoice_links: InvoiceLinksTable
  }
}
