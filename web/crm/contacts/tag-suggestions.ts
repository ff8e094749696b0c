import { type Tag, TAG_NAME_MAX } from '#contract/crm/tags.ts'

const SUGGESTED = 8

/** The form of a tag's name that is used for comparison. */
export const tagKey = (name: string) => name.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** The suggestions for a typed name: tags that contain it, those that begin with it first, or a new tag. */
export function suggestTags(
  tags: readonly Tag[],
  chosen: readonly string[],
  typed: string,
): { known: Tag[]; create: string | null } {
  const wanted = tagKey(typed)
  const taken = new Set(chosen.map(tagKey))
  const known = tags
    .filter(({ name }) => !taken.has(tagKey(name)) && tagKey(name).includes(wanted))
    .toSorted(
      (one, other) =>
        Number(tagKey(other.name).startsWith(wanted)) - Number(tagKey(one.name).startsWith(wanted)),
    )
    .slice(0, SUGGESTED)
  const isNew = wanted !== '' && !taken.has(wanted) && !tags.some(({ name }) => tagKey(name) === wanted)
  return { known, create: isNew ? typed.replaceAll(/\s+/g, ' ').trim().slice(0, TAG_NAME_MAX) : null }
}

/** True if both lists name the same tags, in any order. */
export function sameNames(some: readonly string[], others: readonly string[]): boolean {
  const keys = new Set(others.map(tagKey))
  return some.length === others.length && some.every((name) => keys.has(tagKey(name)))
}
