import type { TimelineEntry } from '#contract/timeline.ts'

type Kind = TimelineEntry['kind']

/** Of what happened at the same instant, the kinds stand in this order, the last first. */
const KINDS: readonly Kind[] = ['added', 'todo', 'meeting', 'email']

/** Where in a timeline an entry stands. */
export type Place = { at: number; kind: Kind; id: number }

/** Beyond every entry: a timeline begins behind it. JavaScript counts instants up to here. */
const BEGINNING: Place = { at: 8_640_000_000_000_000, kind: 'email', id: Number.MAX_SAFE_INTEGER }
/** The last instant that PostgreSQL and JavaScript both know well enough. */
const LATEST = Date.UTC(9999, 0)

/** Below zero where `one` stands before `other`: newest first. */
export function comparePlaces(one: Place, other: Place): number {
  return other.at - one.at || KINDS.indexOf(other.kind) - KINDS.indexOf(one.kind) || other.id - one.id
}

/** What entries of a kind must stand behind, by their instant and number, to stand behind a place. */
export function behind(kind: Kind, place: Place = BEGINNING): { at: Date; id: number } {
  const order = KINDS.indexOf(kind) - KINDS.indexOf(place.kind)
  const id = order === 0 ? place.id : order < 0 ? Number.MAX_SAFE_INTEGER : 0
  return { at: new Date(Math.min(place.at, LATEST)), id }
}

/** A place as the address of the next page carries it. */
export function writePlace({ at, kind, id }: Place): string {
  return `${at}.${kind}.${id}`
}

/** Reads it again; null for what is none. */
export function readPlace(text: string): Place | null {
  const [, at, kind, id] = /^(-?\d{1,16})\.([a-z]+)\.(\d{1,16})$/.exec(text) ?? []
  const known = KINDS.find((each) => each === kind)
  if (known === undefined || Math.abs(Number(at)) > BEGINNING.at) return null
  return { at: Number(at), kind: known, id: Number(id) }
}
