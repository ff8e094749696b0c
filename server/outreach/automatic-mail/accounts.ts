import type { AutomaticMailAccount } from '#contract/outreach/automatic-mail.ts'
import { tryNow } from '../../mail/emails/emails.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { type Mailbox, mailboxesOf } from '../../mail/mailboxes/mailboxes.ts'
import { sayFigures } from './figures.ts'
import { type Standing, standingOf } from './standing.ts'
import { countDays, endStop, setWarmUp } from './store.ts'

const NO_ACCOUNT = 'There is no such mail account.'

/** How each of the user's own connected accounts stands with automatic mail. */
export async function listAccounts(context: Context, userId: number): Promise<AutomaticMailAccount[]> {
  const answers: AutomaticMailAccount[] = []
  for (const { id } of (await mailboxesOf(context.db, userId)).filter(isOwn))
    answers.push(await presentAccount(context, context.db, userId, id))
  return answers
}

/**
 * Treats an account as new from today on, or no longer.
 *
 * @throws Refusal 404
 */
export async function saveAccount(
  context: Context,
  userId: number,
  id: number,
  warmUp: boolean,
): Promise<AutomaticMailAccount> {
  await inTransaction(context.db, async (tx) => {
    await ownStanding(context, tx, userId, id)
    const now = context.clock.now()
    await setWarmUp(tx, userId, id, warmUp ? now : null)
    await tryNow(tx, userId, id, now)
    await context.live.publish(tx, userId, { topic: 'outreach' })
  })
  return presentAccount(context, context.db, userId, id)
}

/**
 * Lets an account go on that stands still. Its figures are counted from then on.
 *
 * @throws Refusal 404; 409 if it does not stand still
 */
export async function goOnSending(
  context: Context,
  userId: number,
  id: number,
): Promise<AutomaticMailAccount> {
  await inTransaction(context.db, async (tx) => {
    const { today } = await ownStanding(context, tx, userId, id)
    const now = context.clock.now()
    if (!(await endStop(tx, userId, id, now, today)))
      throw conflict('Automatic mail from this address goes on already.')
    await tryNow(tx, userId, id, now)
    await context.live.publish(tx, userId, { topic: 'outreach' })
  })
  return presentAccount(context, context.db, userId, id)
}

const isOwn = (mailbox: Mailbox) =>
  !mailbox.is_practice && !mailbox.is_system && mailbox.disconnected_at === null && mailbox.smtp_host !== ''

async function ownStanding(
  context: Context,
  db: Queryable,
  userId: number,
  mailboxId: number,
): Promise<Standing & { isDefault: boolean }> {
  const own = (await mailboxesOf(db, userId)).filter(isOwn).find(({ id }) => id === mailboxId)
  const standing = own === undefined ? undefined : await standingOf(context, db, { userId, mailboxId })
  if (own === undefined || standing === undefined) throw notFound(NO_ACCOUNT)
  return { ...standing, isDefault: own.is_default }
}

async function presentAccount(
  context: Context,
  db: Queryable,
  userId: number,
  id: number,
): Promise<AutomaticMailAccount> {
  const { account, ceiling, stop, today, isDefault } = await ownStanding(context, db, userId, id)
  // How an account stands is asked for each mail: only for one with a ceiling are its mails counted there.
  const counts = await countDays(db, userId, id, { today, since: today, warmUpDay: null })
  return {
    id,
    address: account.address,
    default: isDefault,
    warm_up: account.warmUpFrom !== null,
    ceiling,
    sent_today: counts.today,
    stopped:
      stop === null
        ? null
        : {
            since: stop.since.toISOString(),
            mails: stop.mails,
            bounces: stop.bounces,
            complaints: stop.complaints,
            reason: sayFigures(stop),
          },
  }
}
