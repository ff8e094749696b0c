import type { Generated } from 'kysely'
import type { InvitationStatus } from '#contract/operations/referrals.ts'

type ReferralCodesTable = { user_id: number; code: string }

type ReferralInvitationsTable = {
  user_id: number
  id: Generated<number>
  email: string
  inbox: string
  personal_message: string | null
  status: Generated<InvitationStatus>
  token_signature: string
  mail_id: number | null
  created_at: Date
  failed_at: Date | null
}

type ReferralsTable = {
  user_id: number
  friend_hash: string
  friend_id: number
  invitation_id: number | null
  created_at: Date
  confirmed_at: Date | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    referral_codes: ReferralCodesTable
    referral_invitations: ReferralInvitationsTable
    referrals: ReferralsTable
  }
}
