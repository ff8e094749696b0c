import { BASE_PATH } from '#contract/endpoint.ts'
import type { Context } from '../../context.ts'

/** Who reads a mail, and in which session. */
export type FrameReader = { id: number; sessionId: string }

const PURPOSE = 'mail frames'
/** A frame is filled just after the mail was opened; a link that leaks is soon worth nothing. */
const GOOD_FOR_MS = 10 * 60_000

/** A frame cannot send the bearer token, so its address is signed: whose mail, which, until when, for which session. */
export function frameUrl(context: Context, { id: userId, sessionId }: FrameReader, emailId: number): string {
  const until = Math.ceil((context.clock.now().getTime() + GOOD_FOR_MS) / 1000)
  const name = `${userId.toString(36)}.${emailId.toString(36)}.${until.toString(36)}.${sessionId}`
  return `${BASE_PATH}/emails/${emailId}/frame?key=${name}.${context.secrets.sign(name, PURPOSE)}`
}

/** For whom a frame's key opens this mail; null when it is not ours, for another mail, or too old. */
export function readFrameKey(context: Context, emailId: number, key: string): FrameReader | null {
  const [user = '', email = '', until = '', sessionId = '', signature = ''] = key.split('.')
  if (!context.secrets.verify(`${user}.${email}.${until}.${sessionId}`, signature, PURPOSE)) return null
  const isLate = parseInt(until, 36) * 1000 < context.clock.now().getTime()
  return isLate || parseInt(email, 36) !== emailId ? null : { id: parseInt(user, 36), sessionId }
}
