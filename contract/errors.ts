import * as z from 'zod/mini'

/** Stable codes of errors that a program may act on; every other error has only its sentence. */
export const ERROR_CODES = [
  'INVALID_INPUT',
  'UNAUTHENTICATED',
  'TOTP_REQUIRED',
  'FORBIDDEN',
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

/** The body of every answer of 400 and above. */
export const errorBody = z.object({
  detail: z.string(),
  code: z.optional(z.enum(ERROR_CODES)),
  fields: z.optional(z.record(z.string(), z.string())),
})

export type ErrorBody = z.infer<typeof errorBody>
