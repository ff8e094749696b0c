import type { Context } from '../context.ts'

/** So many mails written or claimed at once mean that many are being sent … */
const MUCH = 100
/** … for about so long. */
const MUCH_FOR_MS = 1000

const muchAt = new WeakMap<Context, number>()

/** Notes that this process has so many mails in hand, to be sent. */
export function noteToSend(context: Context, mails: number): void {
  if (mails >= MUCH) muchAt.set(context, Date.now())
}

/** True while this process sends mails by the hundred: what is not urgent may wait. */
export function sendsMuch(context: Context): boolean {
  return Date.now() - (muchAt.get(context) ?? 0) < MUCH_FOR_MS
}
