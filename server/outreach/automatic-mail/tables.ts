import type { Generated } from 'kysely'

export type AutomaticMailsTable = {
  user_id: number
  address_key: string
  /** The day in the user's zone, as YYYY-MM-DD. */
  local_day: string
  contact_id: number
  mailbox_id: number
  source: 'run' | 'follow_up' | 'sequence'
  /** Null until the mail is queued, in the same transaction. */
  email_id: number | null
  reserved_at: Date
}

/** How many automatic mails an account has sent on a local day. */
type AutomaticMailDaysTable = {
  user_id: number
  mailbox_id: number
  local_day: string
  mails: number
}

/** When automatic mail may leave. Without a row: at any time. */
export type SendingRulesTable = {
  user_id: number
  /** The days on which the hours begin, 1 Monday to 7 Sunday. */
  days: number[]
  from_hour: number
  /** Before `from_hour`: of the next day. */
  until_hour: number
}

/** Accounts whose automatic mail stands still because of bad figures, or went on after it did. */
export type AutomaticMailStopsTable = {
  user_id: number
  mailbox_id: number
  /** Null: it goes on. */
  stopped_at: Date | null
  mails: number
  bounces: number
  complaints: number
  /** Figures are counted from when it went on. */
  counted_from: Date | null
  counted_day: string | null
  counted_mails: Generated<number>
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    automatic_mails: AutomaticMailsTable
    automatic_mail_days: AutomaticMailDaysTable
    automatic_mail_stops: AutomaticMailStopsTable
    sending_rules: SendingRulesTable
  }
}
