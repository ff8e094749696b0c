import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { id, requiredLine } from '../platform/values.ts'

/** The colours of tags, by the names of the design tokens. */
export const TAG_COLOURS = ['gray', 'purple', 'blue', 'green', 'amber', 'red', 'moon'] as const
export const tagColour = z.enum(TAG_COLOURS)
export type TagColour = z.infer<typeof tagColour>

export const TAG_NAME_MAX = 50
/** Maximum number of tags per user, and per contact. */
export const TAGS_MAX = 500
export const TAGS_PER_CONTACT_MAX = 50

export const tagName = requiredLine(TAG_NAME_MAX, 'Please enter a name for the tag')

/** A tag as a caller refers to it: by name, or as it came in an answer. */
export const namedTag = z.union([tagName, z.object({ name: tagName })])
export type NamedTag = z.infer<typeof namedTag>

export const nameOfTag = (tag: NamedTag): string => (typeof tag === 'string' ? tag : tag.name)

/** A tag of a contact. */
export const tag = z.object({ id, name: z.string(), colour: tagColour })
export type Tag = z.infer<typeof tag>

const countedTag = z.object({
  ...tag.shape,
  /** How many contacts have it, if requested. */
  contacts: z.optional(z.number()),
})
export type CountedTag = z.infer<typeof countedTag>

const byId = z.object({ id })

export const tags = {
  list: endpoint({
    method: 'GET',
    path: '/contacts/tags',
    summary: 'Tags by name; with `counts` each with how many contacts carry it',
    query: z.object({ counts: z.optional(z.enum(['true', 'false'])) }),
    reply: z.array(countedTag),
  }),
  add: endpoint({
    method: 'POST',
    path: '/contacts/tags',
    summary: 'Add a tag; without a colour it gets the one that is used least',
    body: z.object({ name: tagName, colour: z.optional(tagColour) }),
    reply: tag,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/contacts/tags/:id',
    summary: 'Rename or recolour a tag; an absent field is kept',
    params: byId,
    body: z.object({ name: z.optional(tagName), colour: z.optional(tagColour) }),
    reply: tag,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/contacts/tags/:id',
    summary: 'Delete a tag; the contacts stay',
    params: byId,
    reply: z.object({ ok: z.boolean() }),
  }),
}
