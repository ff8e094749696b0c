import { randomBytes } from 'node:crypto'
import { addSystemUser, findSystemUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { type Mailbox, saveSystemMailbox } from '../mailboxes/mailboxes.ts'

/** Whose name system mail carries. */
const NAME = 'Howl'
/** No address and no user name that anybody could sign up with. */
const LOGIN = 'howl@system'

/** The account and the mailbox that system mail is sent from, as the settings of this process say. */
export async function systemSender(
  context: Context,
): Promise<{ userId: number; mailbox: Mailbox; name: string }> {
  const user = (await findSystemUser(context.db)) ?? (await openAccount(context))
  const mailbox = await inTransaction(context.db, (tx) =>
    saveSystemMailbox(context, tx, user.id, context.config.systemSmtp, addressOf(context)),
  )
  return { userId: user.id, mailbox, name: NAME }
}

async function openAccount(context: Context) {
  const now = context.clock.now()
  return addSystemUser(context.db, {
    login: LOGIN,
    name: NAME,
    password: randomBytes(32).toString('base64url'),
    cost: context.config.passwordCost,
    now,
  })
}

/** The sender's address: the setting's, else an address at the host of the public address. */
function addressOf({ config }: Context): string {
  if (config.systemSmtp !== null && config.systemSmtp.from !== null) return config.systemSmtp.from
  const { hostname } = new URL(config.publicUrl)
  const isName = /^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(hostname) && !/^[\d.]+$/.test(hostname)
  return `howl@${isName ? hostname : 'howl.invalid'}`
}
