export type OwnModelsTable = {
  user_id: number
  /** Up to and with "/v1". */
  base_url: string
  model: string
  /** Sealed for this user and this address. */
  api_key_box: string | null
  saved_at: Date
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    own_models: OwnModelsTable
  }
}
