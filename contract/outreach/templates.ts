import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { FIELDS } from './template-text/fields.ts'
import { TEMPLATE_BODY_MAX, TEMPLATE_SUBJECT_MAX } from './template-text/parse-template.ts'
import { atMost, id, instant, requiredLine, requiredText } from '../platform/values.ts'

export const TEMPLATE_NAME_MAX = 100
/** How many templates a user may keep. */
export const TEMPLATES_MAX = 200

const subject = requiredLine(TEMPLATE_SUBJECT_MAX, 'Please enter a subject')
const body = requiredText(TEMPLATE_BODY_MAX, 'Please write a text')
const fields = { name: requiredLine(TEMPLATE_NAME_MAX, 'Please enter a name'), subject, body }

export const template = z.object({
  id,
  name: z.string(),
  subject: z.string(),
  body: z.string(),
  created_at: instant,
  updated_at: instant,
})
export type Template = z.infer<typeof template>

export const houseTemplate = z.object({
  /** Names it for good: `introduction`. */
  key: z.string(),
  name: z.string(),
  /** When it is of use, in a sentence. */
  purpose: z.string(),
  subject: z.string(),
  body: z.string(),
})
export type HouseTemplate = z.infer<typeof houseTemplate>

const values = z.object(
  Object.fromEntries(FIELDS.map(({ name }) => [name, z.string()])) as Record<
    (typeof FIELDS)[number]['name'],
    z.ZodMiniString
  >,
)

/** A field that would leave a gap, and for whom. */
export const templateGap = z.object({
  field: z.string(),
  contacts: z.number(),
  /** The first few of them. */
  names: z.array(z.string()),
})
export type TemplateGap = z.infer<typeof templateGap>

const advice = z.object({ about: z.enum(['subject', 'body']), message: z.string() })
const problem = z.object({
  about: z.enum(['subject', 'body']),
  line: z.number(),
  column: z.number(),
  message: z.string(),
})

const byId = z.object({ id })

export const templates = {
  list: endpoint({
    method: 'GET',
    path: '/templates/',
    summary: 'The user’s own mail templates, by name',
    reply: z.array(template),
  }),
  house: endpoint({
    method: 'GET',
    path: '/templates/house',
    summary: 'Templates to begin with; what stands in square brackets is to be replaced',
    reply: z.array(houseTemplate),
  }),
  get: endpoint({
    method: 'GET',
    path: '/templates/:id',
    summary: 'One template',
    params: byId,
    reply: template,
  }),
  add: endpoint({
    method: 'POST',
    path: '/templates/',
    summary: 'Add a template',
    body: z.object(fields),
    reply: template,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/templates/:id',
    summary: 'Change a template; an absent field is kept',
    params: byId,
    body: z.object({
      name: z.optional(fields.name),
      subject: z.optional(subject),
      body: z.optional(body),
    }),
    reply: template,
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/templates/:id/duplicate',
    summary: 'Copy a template',
    params: byId,
    reply: template,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/templates/:id',
    summary: 'Delete a template; it can be restored for a day',
    params: byId,
    reply: z.object({ ok: z.boolean() }),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/templates/:id/restore',
    summary: 'Bring a deleted template back',
    params: byId,
    reply: template,
  }),
  values: endpoint({
    method: 'GET',
    path: '/templates/values',
    summary:
      'What each field says for a contact, by default the newest one; an invented one if there is none',
    query: z.object({ contact_id: z.optional(id) }),
    reply: z.object({
      contact: z.nullable(z.object({ id, name: z.string(), email: z.string() })),
      values,
    }),
  }),
  check: endpoint({
    method: 'POST',
    path: '/templates/check',
    summary: 'What is wrong with a text, what could be better, and for which contacts it would have gaps',
    body: z.object({
      subject: z.string().check(atMost(TEMPLATE_SUBJECT_MAX)),
      body: z.string().check(atMost(TEMPLATE_BODY_MAX)),
    }),
    reply: z.object({
      /** Nothing can be sent as long as there is one. */
      problems: z.array(problem),
      /** What stands in square brackets, which is to be replaced before anything is sent. */
      to_fill: z.array(z.string()),
      advice: z.array(advice),
      gaps: z.array(templateGap),
      /** How many contacts were looked at, of how many. */
      contacts_checked: z.number(),
      contacts: z.number(),
    }),
  }),
}
