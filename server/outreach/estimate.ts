import type { BodyOf, ReplyOf } from '#contract/endpoint.ts'
import type { outreach } from '#contract/outreach.ts'
import { findUser } from '../auth/auth.ts'
import { isOnThisMachine } from '../config.ts'
import { type BriefFields, newestBrief } from '../briefs/briefs.ts'
import { contactsToMail, type ContactToMail, keepAudience } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import { unauthenticated } from '../errors.ts'
import { exampleUnsubscribeUrl } from '../emails/emails.ts'
import { modelFor } from '../language-models/language-models.ts'
import { isConfigured } from '../mailboxes/mailboxes.ts'
import { accountOfRun } from './account-of-run.ts'
import { audienceName } from './audience-name.ts'
import { ALREADY_MAILED, LEFT_OUT, MAILED_LATELY, NO_ADDRESS, reasonsToSkip } from './list-contacts.ts'
import { type ContactsOfRun, contactsOfRun, CONTACTS_PAGE as PAGE, type Reader } from './run-audience.ts'
import { withOptOut } from './opt-out.ts'
import { briefMail } from './brief-template.ts'
import { type Recipient, templateMail, type Writer, type WrittenMail } from './fallback-template.ts'
import { leavesAsKept } from './preview-basis.ts'
import { keptPreviews } from './previews-store.ts'
import { untilCleared } from './until-cleared.ts'
import { TOKENS_PER_MAIL, writerOf } from './write-mail.ts'

/** Names of contacts that are left out, for each reason. */
const NAMES_MAX = 3
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
  const { skipped: _, ...estimate } = await estimateOf(
    context,
    userId,
    mailboxId,
    contactsOfRun(context, userId, null),
  )
  return estimate
}

/**
 * What a run to an audience would do, and who of it is left out, by reason.
 *
 * @throws Refusal 400 for a wrong account or audience; 409 while practice is being cleared away
 */
export async function estimateAudience(
  context: Context,
  user: Reader,
  asked: BodyOf<typeof outreach.estimateAudience>,
): Promise<ReplyOf<typeof outreach.estimateAudience>> {
  const audience = keepAudience(user, asked.audience)
  const people = contactsOfRun(context, user.id, { ...asked, user })
  const estimate = await estimateOf(context, user.id, asked.mailbox_id ?? undefined, people)
  return { ...estimate, name: audienceName(audience, estimate.contacts) }
}

async function estimateOf(
  context: Context,
  userId: number,
  mailboxId: number | undefined,
  { page, about: run }: ContactsOfRun,
) {
  await untilCleared(context, userId)
  const mailbox = await accountOfRun(context.db, userId, mailboxId)
  const counts = {
    contacts: 0,
    to_send: 0,
    already_mailed: 0,
    suppressed: 0,
    invalid: 0,
    left_out: 0,
    edited: 0,
  }
  const skipped = new Map<string, { reason: string; contacts: number; names: string[] }>()
  const [user, brief, kept] = await Promise.all([
    findUser(context.db, userId),
    newestBrief(context.db, userId),
    keptPreviews(context.db, userId, context.clock.now()),
  ])
  if (user === undefined) throw unauthenticated()
  const from = writerOf(user)
  let first: ContactToMail | null = null
  for (let after = 0; ;) {
    const people = await page(after)
    const reasons = await reasonsToSkip(context, userId, people, run)
    for (const person of people) {
      const shown = kept.get(person.id)
      const reason = reasons.get(person.id) ?? (shown?.left_out === true ? LEFT_OUT : null)
      counts.contacts += 1
      if (reason === null) {
        first ??= person
        counts.to_send += 1
        if (shown?.edited === true) counts.edited += 1
        continue
      }
      const those = skipped.get(reason) ?? { reason, contacts: 0, names: [] }
      those.contacts += 1
      if (those.names.length < NAMES_MAX) those.names.push(person.name || person.email)
      skipped.set(reason, those)
      if (reason === LEFT_OUT) counts.left_out += 1
      else if (reason === ALREADY_MAILED || reason === MAILED_LATELY) counts.already_mailed += 1
      else if (reason === NO_ADDRESS) counts.invalid += 1
      else counts.suppressed += 1
    }
    after = people.at(-1)?.id ?? after
    if (people.length < PAGE) break
  }
  const isPractice = mailbox?.is_practice ?? false
  const model = await modelFor(context, userId)
  const usesModel = model.available
  /** The first mail, where it is known: as it was shown before, or from the template. */
  const firstMail = (to: ContactToMail) => {
    const shown = kept.get(to.id)
    const basis = { to, from, briefVersion: brief?.version ?? null }
    if (shown !== undefined && leavesAsKept(shown, basis))
      return presentExample(context, to, { subject: shown.subject, text: shown.body })
    return usesModel ? null : presentExample(context, to, templateFor(to, from, brief?.fields ?? null))
  }
  const tokens = usesModel ? counts.to_send * TOKENS_PER_MAIL : 0
  return {
    ...counts,
    skipped: [...skipped.values()].sort((one, other) => other.contacts - one.contacts),
    has_brief: brief !== undefined,
    uses_model: usesModel,
    model: model.name,
    tokens: Math.min(tokens, context.config.modelTokensPerRun),
    seconds: secondsFor(counts.to_send, usesModel, mailbox?.hourly_limit ?? null, isPractice),
    configured: isConfigured(mailbox),
    practice: isPractice,
    example: first === null ? null : firstMail(first),
    links_reach: isPractice || !isOnThisMachine(context.config.publicUrl),
  }
}

/**
 * How a first mail would sound with these words, from the template: to the user's first contact, or to somebody invented.
 */
export async function exampleWith(
  context: Context,
  userId: number,
  fields: BriefFields,
): Promise<ReplyOf<typeof outreach.example>> {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw unauthenticated()
  const [to = SOMEBODY] = await contactsToMail(context.db, userId, 0, 1)
  return presentExample(context, to, briefMail(to, writerOf(user), fields))
}

const SOMEBODY: Recipient = {
  name: 'Anna Berg',
  email: 'anna@bakery.example',
  company: 'Berg Bakery',
  position: '',
  notes: '',
}

const templateFor = (to: Recipient, from: Writer, brief: BriefFields | null) =>
  brief === null ? templateMail(to, from) : briefMail(to, from, brief)

function presentExample(context: Context, to: Recipient, { subject, text }: WrittenMail) {
  return { name: to.name || to.email, subject, text: withOptOut(text, exampleUnsubscribeUrl(context)) }
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
