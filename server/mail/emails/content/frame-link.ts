import { BASE_PATH } from '#contract/platform/endpoint.ts'
import type { Context } from '../../../platform/context.ts'

/** The user who reads a mail, and the session. */
export type FrameReader = { id: number; sessionId: string }

const PURPOSE = 'mail frames'
/** A frame loads right after its mail is opened; a leaked link soon expires. */
const VALID_MS = 10 * 60_000

/** A frame cannot send the bearer token, so its URL is signed: for a user, a mail, an expiry time and a session. */
export function frameUrl(context: Context, { id: userId, sessionId }: FrameReader, emailId: number): string {
  const until = Math.ceil((context.clock.now().getTime() + VALID_MS) / 1000)
  const name = `${userId.toString(36)}.${emailId.toString(36)}.${until.toString(36)}.${sessionId}`
  return `${BASE_PATH}/emails/${emailId}/frame?key=${name}.${context.secrets.sign(name, PURPOSE)}`
}

/** The reader that a frame's key admits to this mail; null when the key is not ours, for another mail, or expired. */
export function readFrameKey(context: Context, emailId: number, key: string): FrameReader | null {
  const [user = '', email = '', until = '', sessionId = '', signature = ''] = key.split('.')
  if (!context.secrets.verify(`${user}.${email}.${until}.${sessionId}`, signature, PURPOSE)) return null
  const isLate = parseInt(until, 36) * 1000 < context.clock.now().getTime()
  return isLate || parseInt(email, 36) !== emailId ? null : { id: parseInt(user, 36), sessionId }
}
