import { referrals } from '#contract/operations/referrals.ts'
import { call } from '#web/platform/api/call.ts'

/** Tells the server that the invitation with this token was opened. */
export async function tellOpened(token: string): Promise<void> {
  await call(referrals.noteOpened, { body: { token } })
}
