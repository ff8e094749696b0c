import type { Context } from '../../platform/context.ts'
import type { SystemSmtp } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { openPassword, sealPassword } from './accounts.ts'
import { addMailbox, changeMailbox, lockMailboxes, type Mailbox, mailbox, mailboxesOf } from './store.ts'

/**
 * The mailbox of the system user, with the operator's server as it is set now; without one the practice server takes the
 * mail. Changed settings end a pause that the old ones caused.
 */
export async function saveSystemMailbox(
  context: Context,
  tx: Tx,
  userId: number,
  smtp: SystemSmtp | null,
  address: string,
): Promise<Mailbox> {
  const [found] = await mailboxesOf(tx, userId)
  if (found !== undefined && isAsSet(context, found, smtp, address)) return found
  await lockMailboxes(tx, userId)
  const [locked] = await mailboxesOf(tx, userId)
  const row =
    locked ??
    (await addMailbox(tx, userId, {
      is_primary: true,
      is_system: true,
      address,
      created_at: context.clock.now(),
    }))
  await changeMailbox(tx, userId, row.id, {
    address,
    is_practice: smtp === null,
    smtp_host: smtp?.host ?? '',
    smtp_port: smtp?.port ?? null,
    smtp_username: smtp?.username ?? '',
    smtp_password_box:
      smtp === null || smtp.password === '' ? null : sealPassword(context, row, 'smtp', smtp.password),
    smtp_use_tls: smtp?.useTls ?? true,
    last_error: null,
    send_pause_until: null,
  })
  return (await mailbox(tx, userId, row.id)) ?? row
}

function isAsSet(context: Context, row: Mailbox, smtp: SystemSmtp | null, address: string): boolean {
  if (row.address !== address || row.is_practice !== (smtp === null)) return false
  if (smtp === null) return true
  return (
    row.smtp_host === smtp.host &&
    row.smtp_port === smtp.port &&
    row.smtp_username === smtp.username &&
    row.smtp_use_tls === smtp.useTls &&
    hasPassword(context, row, smtp.password)
  )
}

function hasPassword(context: Context, row: Mailbox, password: string): boolean {
  try {
    return openPassword(context, row, 'smtp') === password
  } catch {
    return false
  }
}
