import type { BodyOf } from '#contract/platform/endpoint.ts'
import { parseTemplate } from '#contract/outreach/template-text/parse-template.ts'
import { TEMPLATE_NAME_MAX, type templates, TEMPLATES_MAX } from '#contract/outreach/templates.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, invalidInput, notFound } from '../../platform/errors.ts'
import {
  changeTemplate,
  countForAdding,
  findTemplate,
  forgetDeleted,
  hideTemplate,
  insertTemplate,
  showTemplate,
  type TemplateFields,
  type TemplateRow,
} from './store.ts'

/** @throws Refusal 400 when subject or text cannot be read, 409 when there are too many templates */
export async function addTemplate(
  context: Context,
  userId: number,
  input: BodyOf<typeof templates.add>,
): Promise<TemplateRow> {
  refuseProblems(input)
  return inTransaction(context.db, async (tx) => {
    await refuseTooMany(tx, userId)
    return insertTemplate(tx, userId, input, context.clock.now())
  })
}

/** Changes the fields given in `input` and keeps the rest. @throws Refusal 400, 404 */
export async function updateTemplate(
  context: Context,
  userId: number,
  id: number,
  input: BodyOf<typeof templates.update>,
): Promise<TemplateRow> {
  refuseProblems(input)
  const changed = await changeTemplate(
    context.db,
    userId,
    id,
    input as Partial<TemplateFields>,
    context.clock.now(),
  )
  if (changed === undefined) throw noTemplate()
  return changed
}

/** Adds a copy with a name of its own. @throws Refusal 404, 409 when there are too many templates */
export async function duplicateTemplate(context: Context, userId: number, id: number): Promise<TemplateRow> {
  return inTransaction(context.db, async (tx) => {
    await refuseTooMany(tx, userId)
    const found = await findTemplate(tx, userId, id)
    if (found === undefined) throw noTemplate()
    const { name, subject, body } = found
    const end = ' (copy)'
    const copy = {
      name: `${name.slice(0, TEMPLATE_NAME_MAX - end.length).toWellFormed()}${end}`,
      subject,
      body,
    }
    return insertTemplate(tx, userId, copy, context.clock.now())
  })
}

export const noTemplate = () => notFound('This template does not exist.')

/** @throws Refusal 409 */
async function refuseTooMany(tx: Tx, userId: number): Promise<void> {
  if ((await countForAdding(tx, userId)) >= TEMPLATES_MAX)
    throw conflict(`You have ${TEMPLATES_MAX} templates, which are the most. Please delete one first.`)
}

/** What is saved can be read: only then can it be sent later, when nobody looks. */
function refuseProblems({ subject = '', body = '' }: BodyOf<typeof templates.update>): void {
  const wrong = Object.entries({ subject, body }).flatMap(([name, text]) => {
    const [problem] = parseTemplate(text).problems
    if (problem === undefined) return []
    const place = name === 'subject' ? '' : `Line ${problem.line}: `
    return [[name, `${place}${problem.message}`] as const]
  })
  const [first] = wrong
  if (first !== undefined) throw invalidInput(first[1], Object.fromEntries(wrong))
}

/** Deleted templates can be brought back for so long. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** Deletes a template, and for good what was deleted a day ago. @throws Refusal 404 */
export async function removeTemplate(context: Context, userId: number, id: number): Promise<void> {
  const now = context.clock.now()
  await inTransaction(context.db, async (tx) => {
    if (!(await hideTemplate(tx, userId, id, now))) throw noTemplate()
    await forgetDeleted(tx, userId, new Date(now.getTime() - KEPT_MS))
  })
}

/** @throws Refusal 404 when it was never there or is gone for good, 409 when there are too many templates */
export async function restoreTemplate(context: Context, userId: number, id: number): Promise<TemplateRow> {
  const since = new Date(context.clock.now().getTime() - KEPT_MS)
  return inTransaction(context.db, async (tx) => {
    await refuseTooMany(tx, userId)
    const row = await showTemplate(tx, userId, id, since)
    if (row === undefined) throw noTemplate()
    return row
  })
}
