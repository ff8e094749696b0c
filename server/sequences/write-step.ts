import type { Queryable } from '../database/handles.ts'
import {
  findTemplate,
  type Reader,
  readTemplate,
  renderTemplate,
  type TemplateWriter,
  UnusableTemplate,
} from '../templates/templates.ts'
import type { LastMail } from './due-store.ts'
import type { MailStep } from './walk-steps.ts'

type ReadTemplate = ReturnType<typeof readTemplate>
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

/** The mail of a step to a contact. In the same conversation it answers the mail before it. */
export function writeStep(
  step: MailStep,
  texts: Texts,
  to: Reader,
  from: TemplateWriter,
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
export function taskTitle(title: string, to: Reader, from: TemplateWriter): string {
  try {
    return renderTemplate({ subject: title, body: '' }, to, from).subject.slice(0, TITLE_MAX) || title
  } catch (error) {
    if (error instanceof UnusableTemplate) return title
    throw error
  }
}
