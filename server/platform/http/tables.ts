import type { Generated } from 'kysely'

type IdempotentRepliesTable = {
  user_id: number
  route: string
  key: string
  payload_hash: string
  started_at: Date
  finished_at: Date | null
  status: number | null
  reply: string | null
}

/** Space reserved for a file that is being uploaded. */
type UploadReservationsTable = {
  user_id: number
  id: Generated<number>
  kind: string
  bytes: number
  lapses_at: Date
}

type CallCountsTable = {
  key: string
  calls: number
  ends_at: Date
}

declare module '../database/tables.ts' {
  interface Tables {
    idempotent_replies: IdempotentRepliesTable
    upload_reservations: UploadReservationsTable
    call_counts: CallCountsTable
  }
}
