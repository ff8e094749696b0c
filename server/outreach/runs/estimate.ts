import type { BodyOf, QueryOf, ReplyOf } from '#contract/platform/endpoint.ts'
import type { outreach } from '#contract/outreach/runs.ts'
import { type Concerned, countUnder } from '../templates/templates.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import { adviseSpread, SUPPRESSED } from '../automatic-mail/automatic-mail.ts'
import { makeBreath } from '../../platform/breath.ts'
import { isOnThisMachine } from '../../platform/config.ts'
import {
  type BriefFields,
  newestBrief,
  USUAL_VOICE,
  withOptOut,
  type Writer,
  writerOf,
} from '../briefs/briefs.ts'
import { contactsToMail, type ContactToMail, keepAudience } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { unauthenticated } from '../../platform/errors.ts'
import { exampleUnsubscribeUrl } from '../../mail/emails/emails.ts'
import { modelFor } from '../../models/language-models/language-models.ts'
import { isConfigured } from '../../mail/mailboxes/mailboxes.ts'
import type { AskedRun } from './generate-and-send.ts'
import { accountOfRun, untilCleared } from './account-of-run.ts'
import { hasChosenSpread } from './store.ts'
import {
  audienceName,
  CONTACTS_PAGE as PAGE,
  type ContactsOfRun,
  contactsOfRun,
  type Reader,
} from './run-audience.ts'
import { ALREADY_MAILED, LEFT_OUT, MAILED_LATELY, NO_ADDRESS, reasonsToSkip } from './list-contacts.ts'
import { briefMail, type Recipient, templateMail, type WrittenMail } from './fallback-template.ts'
import { type Basis, leavesAsKept } from './preview-basis.ts'
import { keptPreviews, NO_TEMPLATE } from './previews-store.ts'
import { gapReason, gapsOf, lookAtTemplate, templateMailTo } from './template-of-run.ts'
import { TOKENS_PER_MAIL } from './write-mail.ts'

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
  { mailbox_id: mailboxId, template_id: templateId }: QueryOf<typeof outreach.estimate>,
): Promise<ReplyOf<typeof outreach.estimate>> {
  const people = contactsOfRun(context, userId, null)
  const { skipped: _, ...estimate } = await estimateOf(context, userId, { mailboxId, templateId }, people)
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
  const by = { mailboxId: asked.mailbox_id, templateId: asked.template_id }
  const estimate = await estimateOf(context, user.id, by, people)
  return { ...estimate, name: audienceName(audience, estimate.contacts) }
}

async function estimateOf(
  context: Context,
  userId: number,
  { mailboxId, templateId }: Pick<AskedRun, 'mailboxId' | 'templateId'>,
  { page, about: run }: ContactsOfRun,
) {
  await untilCleared(context, userId)
  const mailbox = await accountOfRun(context.db, userId, mailboxId)
  const counts = {
    contacts: 0,
    to_send: 0,
    already_mailed: 0,
    declined: 0,
    suppressed: 0,
    invalid: 0,
    left_out: 0,
    edited: 0,
    with_gap: 0,
  }
  const skipped = new Map<string, Concerned>()
  const asked = await lookAtTemplate(context.db, userId, templateId)
  const template = asked?.template ?? null
  const [user, brief, kept] = await Promise.all([
    findUser(context.db, userId),
    newestBrief(context.db, userId),
    keptPreviews(context.db, userId, template?.kept.id ?? NO_TEMPLATE, context.clock.now()),
  ])
  if (user === undefined) throw unauthenticated()
  const from = writerOf(user, brief?.fields ?? USUAL_VOICE)
  const basis = (to: Recipient): Basis => ({
    to,
    from,
    briefVersion: brief?.version ?? null,
    template: template?.kept ?? null,
  })
  const gapsIn = gapsOf(template, from)
  const gaps = new Map<string, Concerned>()
  const breathe = makeBreath()
  let first: ContactToMail | null = null
  for (let after = 0; ;) {
    const people = await page(after)
    const reasons = await reasonsToSkip(context, userId, people, run)
    for (const person of people) {
      await breathe()
      const shown = kept.get(person.id)
      const isEdited = shown !== undefined && shown.edited && leavesAsKept(shown, basis(person))
      const standing = reasons.get(person.id) ?? (shown?.left_out === true ? LEFT_OUT : null)
      // What the user has written has no gap.
      const missing = standing !== null || isEdited ? [] : gapsIn(person)
      for (const field of missing) countUnder(gaps, field, person)
      const gap = gapReason(missing)
      const reason = standing ?? gap
      counts.contacts += 1
      if (reason === null) {
        first ??= person
        counts.to_send += 1
        if (isEdited) counts.edited += 1
        continue
      }
      countUnder(skipped, reason, person)
      if (gap !== null) counts.with_gap += 1
      else if (reason === LEFT_OUT) counts.left_out += 1
      else if (reason === ALREADY_MAILED || reason === MAILED_LATELY) counts.already_mailed += 1
      else if (reason === NO_ADDRESS) counts.invalid += 1
      else if (reason === SUPPRESSED.declined) counts.declined += 1
      else counts.suppressed += 1
    }
    after = people.at(-1)?.id ?? after
    if (people.length < PAGE) break
  }
  const isPractice = mailbox?.is_practice ?? false
  const model = await modelFor(context, userId)
  const usesModel = model.available && asked === null
  /** The first mail, where it is known: as it was shown before, or from the template. */
  const firstMail = (to: ContactToMail) => {
    const shown = kept.get(to.id)
    if (shown !== undefined && leavesAsKept(shown, basis(to)))
      return presentExample(context, from, to, { subject: shown.subject, text: shown.body })
    if (template !== null) {
      const mail = templateMailTo(template, to, from)
      return 'gap' in mail ? null : presentExample(context, from, to, mail)
    }
    return usesModel ? null : presentExample(context, from, to, templateFor(to, from, brief?.fields ?? null))
  }
  const tokens = usesModel ? counts.to_send * TOKENS_PER_MAIL : 0
  return {
    ...counts,
    skipped: [...skipped]
      .map(([reason, those]) => ({ reason, ...those }))
      .toSorted((one, other) => other.contacts - one.contacts),
    has_brief: brief !== undefined,
    uses_model: usesModel,
    model: model.name,
    tokens: Math.min(tokens, context.config.modelTokensPerRun),
    seconds: secondsFor(counts.to_send, usesModel, mailbox?.hourly_limit ?? null, isPractice),
    configured: isConfigured(mailbox),
    practice: isPractice,
    gaps: [...gaps].map(([field, those]) => ({ field, ...those })),
    template: asked === null ? null : { name: asked.name, fault: asked.fault },
    example: first === null || (asked !== null && asked.fault !== null) ? null : firstMail(first),
    spread: mailbox === undefined ? null : await spreadOf(context, userId, mailbox.id, counts.to_send),
    links_reach: isPractice || !isOnThisMachine(context.config.publicUrl),
  }
}

/** Whether a run of so many mails should go over days; null where it need not be asked. */
async function spreadOf(context: Context, userId: number, mailboxId: number, mails: number) {
  const advice = await adviseSpread(context, { userId, mailboxId }, mails)
  if (advice === null) return null
  const { isOn, ...spread } = advice
  // As the user chose the last time, or else as recommended.
  const selected = isOn || (spread.recommended && !(await hasChosenSpread(context.db, userId, mailboxId)))
  return { ...spread, selected }
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
  const from = writerOf(user, fields)
  return presentExample(context, from, to, briefMail(to, from, fields))
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

function presentExample(context: Context, from: Writer, to: Recipient, { subject, text }: WrittenMail) {
  const whole = withOptOut(text, exampleUnsubscribeUrl(context), from.voice.language)
  return { name: to.name || to.email, subject, text: whole }
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
