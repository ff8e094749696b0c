import { BASE_PATH } from '#contract/endpoint.ts'
import type { Context } from '../context.ts'

const PURPOSE = 'mail frames'
/** A frame is filled just after the mail was opened; a link that leaks is soon worth nothing. */
const GOOD_FOR_MS = 10 * 60_000

/** A frame cannot send the bearer token, so its address is signed: whose mail, which, until when. */
export function frameUrl(context: Context, userId: number, emailId: number): string {
  const until = Math.ceil((context.clock.now().getTime() + GOOD_FOR_MS) / 1000)
  const name = `${userId.toString(36)}.${emailId.toString(36)}.${until.toString(36)}`
  return `${BASE_PATH}/emails/${emailId}/frame?key=${name}.${context.secrets.sign(name, PURPOSE)}`
}

/** Whose mail a frame's key opens; null when it is not ours, for another mail, or too old. */
export function readFrameKey(context: Context, emailId: number, key: string): { userId: number } | null {
  const [user = '', email = '', until = '', signature = ''] = key.split('.')
  if (!context.secrets.verify(`${user}.${email}.${until}`, signature, PURPOSE)) return null
  const isLate = parseInt(until, 36) * 1000 < context.clock.now().getTime()
  return isLate || parseInt(email, 36) !== emailId ? null : { userId: parseInt(user, 36) }
}
