import type { TimelineEntry } from '#contract/overview/timeline.ts'

type Kind = TimelineEntry['kind']

/** Order of the kinds at the same instant, the last first. */
const KINDS: readonly Kind[] = ['added', 'todo', 'invoice', 'meeting', 'email']

/** The position of an entry in a timeline. */
export type Place = { at: number; kind: Kind; id: number }

/** Before every entry: a timeline begins after it. The largest instant in JavaScript. */
const BEGINNING: Place = { at: 8_640_000_000_000_000, kind: 'email', id: Number.MAX_SAFE_INTEGER }
/** The last instant that PostgreSQL and JavaScript both represent. */
const LATEST = Date.UTC(9999, 0)

/** Negative if `one` comes before `other`: newest first. */
export function comparePlaces(one: Place, other: Place): number {
  return other.at - one.at || KINDS.indexOf(other.kind) - KINDS.indexOf(one.kind) || other.id - one.id
}

/** The bound, as instant and id, that entries of a kind must come after to follow a position. */
export function behind(kind: Kind, place: Place = BEGINNING): { at: Date; id: number } {
  const order = KINDS.indexOf(kind) - KINDS.indexOf(place.kind)
  const id = order === 0 ? place.id : order < 0 ? Number.MAX_SAFE_INTEGER : 0
  return { at: new Date(Math.min(place.at, LATEST)), id }
}

/** A position as a query parameter for the next page. */
export function writePlace({ at, kind, id }: Place): string {
  return `${at}.${kind}.${id}`
}

/** Reads it back; null if it is invalid. */
export function readPlace(text: string): Place | null {
  const [, at, kind, id] = /^(-?\d{1,16})\.([a-z]+)\.(\d{1,16})$/.exec(text) ?? []
  const known = KINDS.find((each) => each === kind)
  if (known === undefined || Math.abs(Number(at)) > BEGINNING.at) return null
  return { at: Number(at), kind: known, id: Number(id) }
}
