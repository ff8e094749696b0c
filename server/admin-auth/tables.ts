export type AdminAccessCodesTable = {
  signature: string
  made_at: Date
}

export type AdminClaimsTable = {
  signature: string
  expires_at: Date
}
