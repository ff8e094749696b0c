export type IdempotentRepliesTable = {
  user_id: number
  route: string
  key: string
  payload_hash: string
  started_at: Date
  finished_at: Date | null
  status: number | null
  reply: string | null
}

export type CallCountsTable = {
  key: string
  calls: number
  ends_at: Date
}
