import { type Writer } from '../briefs/briefs.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import {
  findTemplate,
  type Gap,
  gapFinder,
  type Reader,
  type ReadTemplate,
  readTemplate,
  renderTemplate,
  UnusableTemplate,
} from '../templates/templates.ts'
import type { LastMail } from './due-store.ts'
import type { MailStep } from './walk-steps.ts'

/** What mail steps say, read once for many contacts; or, as a sentence, why one cannot be sent. */
export type Texts = ReadonlyMap<MailStep, ReadTemplate | string>

const GONE = 'The template of this step was deleted.'
const EMPTY = 'This email has no text yet.'
const TITLE_MAX = 200

/** The texts of mail steps: the user's templates, or their own words. */
export async function textsOf(db: Queryable, userId: number, steps: readonly MailStep[]): Promise<Texts> {
  const texts = new Map<MailStep, ReadTemplate | string>()
  for (const step of steps) if (!texts.has(step)) texts.set(step, await textOf(db, userId, step))
  return texts
}

async function textOf(db: Queryable, userId: number, step: MailStep): Promise<ReadTemplate | string> {
  const template = step.template_id === null ? step : await findTemplate(db, userId, step.template_id)
  if (template === undefined) return GONE
  if (template.body === '') return EMPTY
  try {
    return readTemplate({ subject: template.subject, body: template.body })
  } catch (error) {
    if (error instanceof UnusableTemplate) return error.message
    throw error
  }
}

/** An answer has the subject of the mail before it. */
const withoutSubject = (read: ReadTemplate): ReadTemplate => ({ ...read, subject: [] })

/** A function that says which gaps the mail of a step to a contact would have; one with a gap is not sent. */
export function gapsOfSteps(
  texts: Texts,
  from: Writer,
): (step: MailStep, to: Reader, last: Pick<LastMail, 'subject'> | undefined) => readonly Gap[] {
  type Finder = ReturnType<typeof gapFinder>
  const finders = { answer: new Map<MailStep, Finder>(), own: new Map<MailStep, Finder>() }
  return (step, to, last) => {
    const read = texts.get(step)
    if (read === undefined || typeof read === 'string') return []
    const isAnswer = step.same_conversation && last !== undefined
    const known = finders[isAnswer ? 'answer' : 'own']
    const find = known.get(step) ?? gapFinder(isAnswer ? withoutSubject(read) : read, from)
    known.set(step, find)
    const gaps = find(to)
    return last === undefined ? gaps : gaps.filter((gap) => gap !== 'subject')
  }
}

/** The mail of a step to a contact. In the same conversation it answers the mail before it. */
export function writeStep(
  step: MailStep,
  texts: Texts,
  to: Reader,
  from: Writer,
  last: LastMail | undefined,
) {
  const read = texts.get(step)
  if (read === undefined || typeof read === 'string') throw new Error('A mail without a text')
  const { subject, text } = renderTemplate(read, to, from)
  if (!step.same_conversation || last === undefined) return { subject: subject || last?.subject || '', text }
  return {
    subject: /^re:/i.test(last.subject) ? last.subject : `Re: ${last.subject}`,
    text,
    inReplyTo: last.messageId,
    references: [...last.references, last.messageId],
    threadId: last.threadId,
  }
}

/** The title of a task about a contact; as it was written if it is no template. */
export function taskTitle(title: string, to: Reader, from: Writer): string {
  try {
    return renderTemplate({ subject: title, body: '' }, to, from).subject.slice(0, TITLE_MAX) || title
  } catch (error) {
    if (error instanceof UnusableTemplate) return title
    throw error
  }
}
