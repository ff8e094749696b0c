import { findWriter } from '../briefs/briefs.ts'
import type { Selection } from '#contract/crm/contacts.ts'
import { isRefusal } from '#contract/mail/email.ts'
import { firstMails, stepProblems } from '#contract/outreach/sequence-steps.ts'
import type { SequenceProblem } from '#contract/outreach/sequences.ts'
import { makeBreath } from '../../platform/breath.ts'
import { contactsById, selectContacts } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { type Concerned, countUnder, type Gap } from '../templates/templates.ts'
import { accountOf } from './account-of.ts'
import { liveContacts } from './members-store.ts'
import { getSequence } from './save-sequence.ts'
import type { SequenceRow } from './store.ts'
import type { MailStep } from './walk-steps.ts'
import { gapsOfSteps, textsOf } from './write-step.ts'

/** So many contacts are looked at: enough to see what is missing, and an answer while one waits. */
const CHECKED_MAX = 5000

/** What hinders the start of a sequence, and what could be better, for those in it and those chosen. @throws Refusal 404; 400, 409 as `selectContacts` */
export async function checkSequence(
  context: Context,
  user: { id: number; timeZone: string },
  id: number,
  selection: Selection,
): Promise<{ ready: boolean; problems: SequenceProblem[] }> {
  const row = await getSequence(context, user.id, id)
  const isChosen = selection.ids !== undefined || selection.filter !== undefined
  const chosen = isChosen ? await selectContacts(context, context.db, user, selection) : []
  const inIt = await liveContacts(context.db, user.id, id, CHECKED_MAX)
  const contacts = [...new Set([...chosen, ...inIt])]
  const problems = [
    ...(await checkSteps(context.db, row)),
    ...(await gapsOf(context, row, contacts.slice(0, CHECKED_MAX))),
  ]
  if (contacts.length === 0 && row.starts.length === 0)
    problems.push(say('advice', null, 'Nobody is in it yet, and nothing puts anybody in by itself.'))
  return { ready: !problems.some(({ kind }) => kind === 'stop'), problems }
}

/** What is wrong with the steps, their texts and the account, whoever is in it. */
export async function checkSteps(db: Queryable, row: SequenceRow): Promise<SequenceProblem[]> {
  const problems = stepProblems(row.steps).map(({ kind, step, message }) => say(kind, step, message))
  if ((await accountOf(db, row)) === undefined)
    problems.push(say('stop', null, 'Please connect an email account first.'))
  const mails = row.steps.filter((step): step is MailStep => step.kind === 'mail')
  for (const [step, text] of await textsOf(db, row.user_id, mails))
    if (typeof text === 'string' && !problems.some((each) => each.kind === 'stop' && each.step === step.id))
      problems.push(say('stop', step.id, text))
  if (row.starts.some((start) => start.on === 'intent' && isRefusal(start.intent)))
    problems.push(
      say(
        'advice',
        null,
        'Anyone who says no or unsubscribes is skipped, so this reply never enrolls anyone.',
      ),
    )
  if (row.stops_at_reply)
    for (const step of row.steps)
      if (step.kind === 'condition' && (step.if.about === 'replied' || step.if.about === 'intent'))
        problems.push(
          say('advice', step.id, 'A reply stops this sequence, so nobody who replied gets to this question.'),
        )
  return problems
}

/** Fields that would leave a gap in a mail, and for whom. */
async function gapsOf(
  context: Context,
  row: SequenceRow,
  contactIds: readonly number[],
): Promise<SequenceProblem[]> {
  const mails = row.steps.filter((step): step is MailStep => step.kind === 'mail')
  const texts = await textsOf(context.db, row.user_id, mails)
  const writer = await findWriter(context.db, row.user_id)
  const people = [...(await contactsById(context.db, row.user_id, contactIds)).values()]
  const breathe = makeBreath()
  const gapsFor = gapsOfSteps(texts, writer)
  const first = firstMails(row.steps)
  const problems: SequenceProblem[] = []
  for (const step of mails) {
    const gaps = new Map<Gap, Concerned>()
    const before = first.has(row.steps.indexOf(step)) ? undefined : BEFORE
    for (const person of people) {
      await breathe()
      for (const field of gapsFor(step, person, before)) countUnder(gaps, field, person)
    }
    for (const [field, those] of gaps) problems.push({ ...say('advice', step.id, gapText(field)), ...those })
  }
  return problems
}

/** Of a mail that is not the first one, what stood before it. */
const BEFORE = { subject: '' }

const gapText = (gap: Gap): string =>
  gap === 'subject' || gap === 'text'
    ? `Nothing would be left of the ${gap} for some contacts. Their email waits until there is something.`
    : `{{ ${gap} }} would be empty for some contacts. Their email waits until it is filled in, or has a default.`

function say(kind: SequenceProblem['kind'], step: number | null, message: string): SequenceProblem {
  return { kind, step, message, contacts: 0, names: [] }
}
