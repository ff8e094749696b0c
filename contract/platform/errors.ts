import * as z from 'zod/mini'

/** Stable codes of errors that a program may act on; every other error has only its sentence. */
export const ERROR_CODES = [
  'INVALID_INPUT',
  'UNAUTHENTICATED',
  'TOTP_REQUIRED',
  'FORBIDDEN',
  'BANNED',
  'NOT_FOUND',
  'CONFLICT',
  'TOO_LARGE',
  'TOO_MANY_REQUESTS',
  'UNSUPPORTED_TYPE',
  'SMTP_NOT_CONFIGURED',
  'IMAP_NOT_CONFIGURED',
  'MAIL_SERVER',
  'UNAVAILABLE',
  'INTERNAL',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** A ban as the log-in is refused with it. */
export type ShownBan = {
  reason: string
  description: string
  /** Null for a permanent ban. */
  expires_at: string | null
  /** The newest appeal, and what was answered; null without. */
  appeal_submitted_at: string | null
  appeal_answer: string | null
}

/** The body of every answer of 400 and above. */
export const errorBody = z.object({
  detail: z.string(),
  code: z.optional(z.enum(ERROR_CODES)),
  fields: z.optional(z.record(z.string(), z.string())),
  /** Of BANNED. Only its type is here: every page loads this file, and one of them shows it. */
  ban: z.optional(z.unknown() as unknown as z.ZodMiniType<ShownBan>),
  /** Of BANNED: for one `POST /appeals`. Absent while an appeal waits, and after the last. */
  appeal_token: z.optional(z.string()),
})

export type ErrorBody = z.infer<typeof errorBody>
