import type { Generated } from 'kysely'
import type { AppealDecision, BanReason, BanStatus } from '#contract/operations/bans.ts'
import type { Audience } from '../../platform/security/tokens.ts'

export type UsersTable = {
  id: Generated<number>
  email: string
  email_key: string
  username: string
  username_key: string
  password_hash: string
  name: string
  business_name: Generated<string>
  company_name: Generated<string>
  team_size: Generated<string>
  revenue_size: Generated<string>
  heard_about_us: Generated<string>
  social_link: Generated<string>
  calendly_link: Generated<string>
  job_title: Generated<string>
  phone: Generated<string>
  signature: Generated<string>
  profile_image_url: string | null
  country: string | null
  currency: Generated<string>
  time_zone: string | null
  pricing_tier: Generated<string>
  referred_by_code: Generated<string>
  is_admin: Generated<boolean>
  /** False while a ban is in force, and for nothing else. */
  is_active: Generated<boolean>
  /** The account that system mail is sent from. */
  is_system: Generated<boolean>
  created_at: Date
  deleted_at: Date | null
  /** While this is set, no mail of the user is sent or read. */
  mail_paused_at: Date | null
  /** Rows of the deleted account are being removed. */
  purge_began_at: Date | null
  email_confirmed_at: Date | null
  /** When somebody who was signed in, or set a new password by email, first showed that they read the address. */
  email_proved_at: Date | null
  /** What an administrator said on deleting the account. */
  deletion_reason: string | null
}

export type SessionsTable = {
  user_id: number
  id: string
  audience: Generated<Audience>
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  ended_at: Date | null
  ip: string
  user_agent: string
}

type PasswordResetsTable = {
  user_id: number
  kind: 'code' | 'link'
  signature: string | null
  expires_at: Date
  /** From where the account is not known. */
  wrong_tries: Generated<number>
  known_wrong_tries: Generated<number>
  requested_at: Date[]
  /** Those of them from where the account is known. */
  known_requested_at: Generated<Date[]>
}

type EmailConfirmationsTable = {
  user_id: number
  signature: string
  expires_at: Date
  requested_at: Date[]
}

export type TwoStepTable = {
  user_id: number
  /** The secret that the authenticator app has, sealed. */
  secret_box: string
  begun_at: Date
  /** Null until a first code has shown that an app has the secret. */
  on_since: Date | null
  /** The time step of the newest code that was used (RFC 6238). */
  last_step: Generated<number>
}

type RecoveryCodesTable = {
  user_id: number
  signature: string
  used_at: Date | null
}

type LogInTriesTable = {
  account: string
  place: string
  failures: number
  last_at: Date
  free_at: Date
}

export type BansTable = {
  id: Generated<number>
  user_id: number
  reason: BanReason
  /** The banned user reads it. */
  description: string
  status: Generated<BanStatus>
  /** By the rules of abuse, and not by an administrator. */
  by_rules: boolean
  /** Null also once the administrator's account is removed. */
  banned_by: number | null
  banned_at: Date
  /** Null for a permanent ban. */
  expires_at: Date | null
  ended_at: Date | null
  lifted_by: number | null
  unban_reason: string | null
  appeal_signature: string | null
  appeal_until: Date | null
}

export type AppealsTable = {
  user_id: number
  ban_id: number
  id: Generated<number>
  message: string
  submitted_at: Date
  decision: AppealDecision | null
  answer: string | null
  answered_at: Date | null
  answered_by: number | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    users: UsersTable
    sessions: SessionsTable
    log_in_tries: LogInTriesTable
    bans: BansTable
    appeals: AppealsTable
    password_resets: PasswordResetsTable
    two_step: TwoStepTable
    recovery_codes: RecoveryCodesTable
    email_confirmations: EmailConfirmationsTable
  }
}
