type AdminAccessCodesTable = {
  signature: string
  made_at: Date
}

type AdminClaimsTable = {
  signature: string
  expires_at: Date
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    admin_access_codes: AdminAccessCodesTable
    admin_claims: AdminClaimsTable
  }
}
