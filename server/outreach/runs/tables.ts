import type { Generated } from 'kysely'
import type { RefusedKind } from '#contract/outreach/automatic-mail.ts'
import type { KeptAudience } from '#contract/crm/contacts.ts'

/** A template as it was when a run began. */
export type KeptTemplate = { id: number; name: string; subject: string; body: string }

export type OutreachBatchesTable = {
  user_id: number
  id: Generated<number>
  mailbox_id: number
  state: 'running' | 'paused' | 'cancelled' | 'done'
  total: Generated<number>
  is_listed: Generated<boolean>
  /** Whom the run writes to; null for all contacts. Ids are taken out once every one of them has its row. */
  audience: KeptAudience | null
  /** The audience in words, as it was when the run began. */
  audience_name: string | null
  /** Also to contacts that were mailed before, but not lately. */
  write_again: Generated<boolean>
  /** Whether the user chose to spread it over days, by the ceilings of its account; null where nobody was asked. */
  spread: boolean | null
  tokens_used: Generated<number>
  /** The AI request that the run counts its tokens on; null where it began without a model. */
  ai_use_id: number | null
  /** The version of the brief whose words, or whose language and tone, the run writes with; null where there was none. */
  brief_version: number | null
  /** The template that the run writes with, as it was when the run began; null: it writes with the brief. */
  template: KeptTemplate | null
  driver_id: string | null
  error: string | null
  started_at: Date
  finished_at: Date | null
  /** Why no mails are written for now; null: they are. */
  waits_for: RefusedKind | 'model' | null
  /** When the run looks again whether it may go on; null: at once. */
  look_again_at: Date | null
  /** The user has chosen the template for all that is still to be written. */
  without_model: Generated<boolean>
  /** How often in a row the model has failed for a passing reason, and the last one as a sentence. */
  model_failures: Generated<number>
  last_model_failure: Generated<string>
  /** Raised whenever its state or what it may wait for changes: what a driver has read before is out of date. */
  wakes: Generated<number>
  /** From when on a worker may drive it; null: from its start. */
  drive_at: Date | null
  /** How often in a row driving it has failed, and how it did the last time. */
  failures: Generated<number>
  last_failure: Generated<string>
  failed_at: Date | null
}

export type OutreachItemsTable = {
  user_id: number
  batch_id: number
  contact_id: number
  name: string
  address: string
  state: 'pending' | 'written' | 'skipped' | 'error'
  reason: string | null
  email_id: number | null
  templated: Generated<boolean>
}

/** A mail that was shown before a run, and leaves as it was shown. */
export type OutreachPreviewsTable = {
  user_id: number
  contact_id: number
  /** The template that it was written from; 0: the brief. */
  template_id: Generated<number>
  subject: string
  /** Without the line about unsubscribing. */
  body: string
  /** The user has changed its words. */
  edited: Generated<boolean>
  /** The contact is skipped by the next run. */
  left_out: Generated<boolean>
  /** Why it is the template; null for words of the model, or the user's own. */
  fallback: string | null
  brief_version: number | null
  /** A hash of what was known of contact and sender. */
  basis: string
  /** The AI request that a run goes on counting on. */
  ai_use_id: number | null
  /** How often that request has written to this contact. */
  writings: Generated<number>
  made_at: Date
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    outreach_batches: OutreachBatchesTable
    outreach_items: OutreachItemsTable
    outreach_previews: OutreachPreviewsTable
  }
}
