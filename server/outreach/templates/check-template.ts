import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { advise } from '#contract/outreach/template-text/advise.ts'
import { parseTemplate } from '#contract/outreach/template-text/parse-template.ts'
import { placesToFill } from '#contract/outreach/template-text/places-to-fill.ts'
import type { templates } from '#contract/outreach/templates.ts'
import { makeBreath } from '../../platform/breath.ts'
import { contactsToMail, countContacts } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import type { Writer } from '../briefs/briefs.ts'
import { fieldValues } from './field-values.ts'
import {
  type Concerned,
  countUnder,
  fillBoth,
  type ReadTemplate,
  type TemplateText,
} from './render-template.ts'

/** So many contacts are looked at: enough to see what is missing, and an answer while one types. */
const CHECKED_MAX = 5000
const AT_ONCE = 1000

type Check = ReplyOf<typeof templates.check>

/** What is wrong with a template, what could be better, and for which contacts it would have gaps. */
export async function checkTemplate(
  context: Context,
  userId: number,
  template: TemplateText,
  writer: Writer,
): Promise<Check> {
  const subject = parseTemplate(template.subject)
  const body = parseTemplate(template.body)
  const problems = [
    ...subject.problems.map((each) => ({ about: 'subject' as const, ...each })),
    ...body.problems.map((each) => ({ about: 'body' as const, ...each })),
  ]
  const read = { subject: subject.nodes, body: body.nodes }
  const found =
    problems.length === 0
      ? await gapsOf(context, userId, read, writer)
      : { gaps: [], contacts_checked: 0, contacts: await countContacts(context.db, userId) }
  return {
    problems,
    to_fill: placesToFill(`${template.subject}\n${template.body}`),
    advice: advise(template.subject, template.body),
    ...found,
  }
}

async function gapsOf(
  context: Context,
  userId: number,
  template: ReadTemplate,
  writer: Writer,
): Promise<Pick<Check, 'gaps' | 'contacts_checked' | 'contacts'>> {
  const { db } = context
  const breathe = makeBreath()
  const gaps = new Map<string, Concerned>()
  let checked = 0
  let after = 0
  while (checked < CHECKED_MAX) {
    const people = await contactsToMail(db, userId, after, AT_ONCE)
    for (const person of people) {
      await breathe()
      for (const field of fillBoth(template, fieldValues(person, writer)).blank)
        countUnder(gaps, field, person)
    }
    checked += people.length
    after = people.at(-1)?.id ?? after
    if (people.length < AT_ONCE) break
  }
  const found = [...gaps].map(([field, those]) => ({ field, ...those }))
  return { gaps: found, contacts_checked: checked, contacts: await countContacts(db, userId) }
}
