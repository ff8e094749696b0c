import { findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { queueSystemMail, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'

/** Mails the user that their mail account was changed: whoever did not do it has to know at once. */
export async function notifyChange(
  context: Context,
  tx: Tx,
  userId: number,
  change: { address: string; what: 'connected' | 'changed' | 'disconnected' },
): Promise<void> {
  const user = await findUser(tx, userId)
  if (user === undefined) return
  await queueSystemMail(context, tx, {
    to: user.email,
    ...writeSystemMail('Your Howl email settings were changed', [
      `The email account ${change.address} was ${change.what} in your Howl settings just now.`,
      'Was it you? Then there is nothing to do.',
      'It was not you? Set a new password for Howl at once, sign out all other devices and check your email settings.',
      { link: `${context.config.publicUrl}/profile`, label: 'Open Profile & Settings' },
    ]),
  })
}
