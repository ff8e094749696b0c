import * as z from 'zod/mini'
import { PASSWORD_MAX, typedCode } from './auth.ts'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, instant } from '../platform/values.ts'

/** Digits of a code from an authenticator app (RFC 6238). */
export const APP_CODE_LENGTH = 6
/** An app shows a new code this often, in seconds. */
export const APP_CODE_SECONDS = 30
/** So many recovery codes are made at a time. */
export const RECOVERY_CODES = 10

export const MISSING_CODE = 'Please enter the code from your authenticator app'
export const WRONG_PASSWORD = 'This password is not right'

const code = typedCode.check(z.minLength(1, MISSING_CODE))
const password = z
  .string()
  .check(z.minLength(1, 'Please enter your password'), atMost(PASSWORD_MAX, WRONG_PASSWORD))
/** The only time that they are told. */
const newCodes = z.object({ recovery_codes: z.array(z.string()) })

/** Wrong passwords and codes are counted by account as well. */
const limit = { max: 60, seconds: 3600 }

export const twoStep = {
  get: endpoint({
    method: 'GET',
    path: '/auth/two-step',
    summary: 'Whether log-in asks for a code, and how many recovery codes are left',
    reply: z.object({
      on: z.boolean(),
      on_since: z.nullable(instant),
      recovery_codes_left: z.number(),
    }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/auth/two-step/begin',
    summary: 'Make a secret for an authenticator app; nothing is on before it is confirmed',
    body: z.object({ password }),
    reply: z.object({ secret: z.string(), uri: z.string() }),
    limit,
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/auth/two-step/confirm',
    summary: 'Switch two-step sign-in on with a first code; answers the recovery codes',
    body: z.object({ code }),
    reply: newCodes,
    limit,
  }),
  renewCodes: endpoint({
    method: 'POST',
    path: '/auth/two-step/recovery-codes',
    summary: 'Make new recovery codes; the old ones are void',
    body: z.object({ password, code }),
    reply: newCodes,
    limit,
  }),
  switchOff: endpoint({
    method: 'POST',
    path: '/auth/two-step/switch-off',
    summary: 'Switch two-step sign-in off with the password and a code',
    body: z.object({ password, code }),
    reply: z.object({ ok: z.boolean() }),
    limit,
  }),
}
