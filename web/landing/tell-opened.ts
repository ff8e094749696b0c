import { referrals } from '#contract/referrals.ts'
import { call } from '#web/api/call.ts'

/** Tells the server that the invitation with this token was opened. */
export async function tellOpened(token: string): Promise<void> {
  await call(referrals.noteOpened, { body: { token } })
}
