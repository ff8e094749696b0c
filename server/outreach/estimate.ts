import type { ReplyOf } from '#contract/endpoint.ts'
import type { outreach } from '#contract/outreach.ts'
import { findUser, type UserRow } from '../auth/auth.ts'
import { isOnThisMachine } from '../config.ts'
import { contactsToMail } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import { exampleUnsubscribeUrl } from '../emails/emails.ts'
import { modelFor } from '../language-models/language-models.ts'
import { isConfigured } from '../mailboxes/mailboxes.ts'
import { accountOfRun } from './account-of-run.ts'
import { ALREADY_MAILED, NO_ADDRESS, reasonsToSkip } from './list-contacts.ts'
import { withOptOut } from './opt-out.ts'
import { type Recipient, templateMail } from './fallback-template.ts'
import { untilCleared } from './until-cleared.ts'
import { TOKENS_PER_MAIL, writerOf } from './write-mail.ts'

const PAGE = 5000
/** Mails per second that a usual provider accepts, and that a model writes. */
const SENT_PER_SECOND = 5
const WRITTEN_PER_SECOND = 2

/**
 * What a run through an account, by default the one in use, would do, based on the contacts as they are now.
 *
 * @throws Refusal 400 for a wrong account; 409 while practice is being cleared away
 */
export async function estimateRun(
  context: Context,
  userId: number,
  mailboxId?: number,
): Promise<ReplyOf<typeof outreach.estimate>> {
  await untilCleared(context, userId)
  const mailbox = await accountOfRun(context.db, userId, mailboxId)
  const counts = { contacts: 0, to_send: 0, already_mailed: 0, suppressed: 0, invalid: 0 }
  let first: Recipient | null = null
  for (let after = 0; ;) {
    const people = await contactsToMail(context.db, userId, after, PAGE)
    const reasons = await reasonsToSkip(context, userId, people)
    first ??= people.find(({ id }) => reasons.get(id) === null) ?? null
    for (const reason of reasons.values()) {
      counts.contacts += 1
      if (reason === null) counts.to_send += 1
      else if (reason === ALREADY_MAILED) counts.already_mailed += 1
      else if (reason === NO_ADDRESS) counts.invalid += 1
      else counts.suppressed += 1
    }
    after = people.at(-1)?.id ?? after
    if (people.length < PAGE) break
  }
  const user = await findUser(context.db, userId)
  const isPractice = mailbox?.is_practice ?? false
  const model = await modelFor(context, userId)
  const usesModel = model.available
  const tokens = usesModel ? counts.to_send * TOKENS_PER_MAIL : 0
  return {
    ...counts,
    uses_model: usesModel,
    model: model.name,
    tokens: Math.min(tokens, context.config.modelTokensPerRun),
    seconds: secondsFor(counts.to_send, usesModel, mailbox?.hourly_limit ?? null, isPractice),
    configured: isConfigured(mailbox),
    practice: isPractice,
    example: first === null || user === undefined || usesModel ? null : exampleOf(context, first, user),
    links_reach: isPractice || !isOnThisMachine(context.config.publicUrl),
  }
}

function exampleOf(context: Context, first: Recipient, user: UserRow) {
  const { subject, text } = templateMail(first, writerOf(user))
  return { name: first.name || first.email, subject, text: withOptOut(text, exampleUnsubscribeUrl(context)) }
}

function secondsFor(
  mails: number,
  usesModel: boolean,
  hourlyLimit: number | null,
  practice: boolean,
): number {
  const sending = practice ? mails / 100 : mails / SENT_PER_SECOND
  const limited = hourlyLimit === null ? 0 : (mails / hourlyLimit) * 3600
  return Math.ceil(Math.max(sending, limited, usesModel ? mails / WRITTEN_PER_SECOND : 0))
}
