import { randomBytes } from 'node:crypto'
import { addSystemUser, findSystemUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { deliveriesOf, enqueueEmails, removeSystemEmail } from '../emails/emails.ts'
import { type Mailbox, saveSystemMailbox } from '../mailboxes/mailboxes.ts'
import {
  contentOf,
  lockSystemMails,
  noteSending,
  hasOpenMails,
  noteSettled,
  type SystemMailRow,
} from '../../accounts/system-mail/system-mail.ts'

/** Whose name system mail carries. */
const NAME = 'Howl'
/** No address and no user name that anybody could sign up with. */
const LOGIN = 'howl@system'
/** Mails handed over in one transaction. */
const AT_ONCE = 100

/**
 * Hands every waiting system mail to the delivery of emails, and takes from there what has left or failed. A kill at any
 * moment neither loses nor doubles a mail: the row of the outbox and the queued email change in one transaction.
 */
export async function sendSystemMail(context: Context): Promise<void> {
  if (!(await hasOpenMails(context.db))) return
  await enqueueWaiting(context)
  await settleSent(context)
}

async function enqueueWaiting(context: Context): Promise<void> {
  const count = await inTransaction(context.db, async (tx) => {
    const waiting = await lockSystemMails(tx, 'waiting', AT_ONCE)
    if (waiting.length === 0) return 0
    const { userId, mailbox, name } = await systemSender(context)
    const options = {
      userId,
      mailboxId: mailbox.id,
      from: { name, address: mailbox.address },
      priority: 0,
    } as const
    for (const row of waiting) {
      const content = readable(context, row)
      if (content === null) {
        await noteSettled(tx, row.id, 'failed', 'It could not be read, or was too late.', context.clock.now())
        continue
      }
      const mail = { to: row.to_address, purpose: 'system', ...content } as const
      const [emailId = 0] = await enqueueEmails(context, tx, options, [mail])
      await noteSending(tx, row.id, emailId)
      if (context.config.systemSmtp === null) print(context, row, content)
    }
    return waiting.length
  })
  if (count === AT_ONCE && !context.stopping.aborted) await enqueueWaiting(context)
}

/** What the mail says; null when nobody has any use for it now, or the secret key is another one. */
function readable(context: Context, row: SystemMailRow) {
  if (row.expires_at <= context.clock.now()) return null
  try {
    return contentOf(context, row)
  } catch (error) {
    context.log.error({ err: error }, 'a system mail cannot be read: it was written with another SECRET_KEY')
    return null
  }
}

/** Without a mail server, whoever runs Howl reads the mail here. */
function print(
  { log }: Context,
  row: SystemMailRow,
  { subject, text }: { subject: string; text: string },
): void {
  log.warn(
    { to: row.to_address, subject, text },
    'SYSTEM_SMTP_URL is not set: this mail from Howl is shown here instead of being sent',
  )
}

async function settleSent(context: Context): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const sending = await lockSystemMails(tx, 'sending', AT_ONCE)
    if (sending.length === 0) return
    const { userId } = await systemSender(context)
    const states = await deliveriesOf(
      tx,
      userId,
      sending.flatMap(({ email_id: id }) => (id === null ? [] : [id])),
    )
    for (const row of sending) await settle(context, tx, userId, row, states)
  })
}

async function settle(
  context: Context,
  tx: Tx,
  userId: number,
  row: SystemMailRow,
  states: Awaited<ReturnType<typeof deliveriesOf>>,
): Promise<void> {
  const now = context.clock.now()
  const emailId = row.email_id ?? 0
  const delivery = states.get(emailId)
  const isOver = delivery === undefined || delivery.state === 'sent' || delivery.state === 'failed'
  if (!isOver && row.expires_at > now) return
  // What a worker is sending at this moment is looked at again in the next step.
  if (!(await removeSystemEmail(tx, userId, emailId))) return
  const state = delivery?.state === 'sent' ? 'sent' : 'failed'
  if (state === 'failed')
    context.log.warn({ to: row.to_address, reason: delivery?.reason }, 'a mail from Howl could not be sent')
  await noteSettled(tx, row.id, state, delivery?.reason ?? null, now)
}

/** The account and the mailbox that system mail is sent from, as the settings of this process say. */
async function systemSender(context: Context): Promise<{ userId: number; mailbox: Mailbox; name: string }> {
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
