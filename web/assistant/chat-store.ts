import { onTokenChange, readToken } from '#web/platform/api/token.ts'
import type { Fault } from './ask.ts'

/** A conversation, or the one that begins with the next question. */
export type Place = number | 'new'

/** Whom a conversation is about; `contactId` is null where no contact has this address any more. */
export type Subject = { name: string; email: string; contactId: number | null }

/** A question of this tab with its answer, until the server's own record of both takes their place. */
export type Turn = {
  question: string
  /** Null until the server has stored the question. */
  questionId: number | null
  answerId: number | null
  /** The last message that was there before it: newer ones of the server are these two. */
  after: number
  text: string
  /** What is being looked up. */
  reading: string | null
  /** `waiting`: the connection was lost, and the server may go on writing. */
  state: 'asking' | 'writing' | 'waiting' | 'failed'
  /** Wolfy has not said a word for {@link LATE_MS}. */
  isLate: boolean
  fault: Fault | null
}

type Chat = {
  /** The open conversation; null until it is known which. */
  place: Place | null
  /** The place comes from this browser's memory and may be gone. */
  isRestored: boolean
  /** Whom the conversation that begins with the next question is about. */
  subject: Subject | null
  turns: ReadonlyMap<Place, Turn>
  /** Earlier questions that failed and that the server has no record of, until they are asked again. */
  failed: ReadonlyMap<Place, readonly Turn[]>
  /** What is typed and not sent, by conversation. */
  drafts: ReadonlyMap<Place, string>
}

const NOTHING: Chat = {
  place: null,
  isRestored: false,
  subject: null,
  turns: new Map(),
  failed: new Map(),
  drafts: new Map(),
}

let chat = NOTHING
const listeners = new Set<() => void>()

/** The conversation of this tab. The page and the widget show the same one. */
export const readChat = (): Chat => chat

export function watchChat(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The open conversation, once it is known which. */
export function placed(): Promise<Place> {
  return new Promise((resolve) => {
    const look = () => {
      if (chat.place === null) return
      stop()
      resolve(chat.place)
    }
    const stop = watchChat(look)
    look()
  })
}

function become(next: Chat): void {
  chat = next
  for (const listener of listeners) listener()
}

export function openPlace(place: Place | null, isRestored = false): void {
  // What was typed before it was known which conversation opens belongs to that one.
  const drafts = chat.place === null && typeof place === 'number' ? draftsMovedTo(place) : chat.drafts
  become({ ...chat, place, isRestored, subject: null, drafts })
}

/** The next question begins a conversation about somebody. */
export function beginAbout(subject: Subject): void {
  become({ ...chat, place: 'new', isRestored: false, subject })
}

/** A conversation is gone: if it was open, a new one begins, with what was typed. */
export function leavePlace(id: number): void {
  const typed = chat.drafts.get(id)
  const drafts = withEntry(chat.drafts, id, null)
  const isOpen = chat.place === id
  become({
    ...chat,
    ...(isOpen ? { place: 'new' as const, isRestored: false, subject: null } : {}),
    drafts: isOpen && typed !== undefined ? withEntry(drafts, 'new', typed) : drafts,
  })
}

/** Replaces what is known of the turn in a conversation; null removes it. */
export function setTurn(place: Place, turn: Turn | null): void {
  become({ ...chat, turns: withEntry(chat.turns, place, turn) })
}

/** Another question is asked after a failed one, which stays where it was. */
export function keepFailed(place: Place, turn: Turn): void {
  become({ ...chat, failed: withEntry(chat.failed, place, [...(chat.failed.get(place) ?? []), turn]) })
}

/** A failed question is asked again. */
export function dropFailed(place: Place, turn: Turn): void {
  const left = (chat.failed.get(place) ?? []).filter((each) => each !== turn)
  become({ ...chat, failed: withEntry(chat.failed, place, left.length === 0 ? null : left) })
}

/** The conversation that was to begin has its number. */
export function adoptPlace(id: number, turn: Turn): void {
  const failed = chat.failed.get('new') ?? null
  become({
    ...chat,
    failed: withEntry(withEntry(chat.failed, 'new', null), id, failed),
    // What was typed since the question goes with it.
    ...(chat.place === 'new'
      ? { place: id, isRestored: false, subject: null, drafts: draftsMovedTo(id) }
      : {}),
    turns: withEntry(withEntry(chat.turns, 'new', null), id, turn),
  })
}

function draftsMovedTo(id: number): Chat['drafts'] {
  const typed = chat.drafts.get('new')
  return typed === undefined ? chat.drafts : withEntry(withEntry(chat.drafts, 'new', null), id, typed)
}

export function setDraft(place: Place, text: string): void {
  become({ ...chat, drafts: withEntry(chat.drafts, place, text === '' ? null : text) })
}

function withEntry<V>(map: ReadonlyMap<Place, V>, place: Place, value: V | null): ReadonlyMap<Place, V> {
  const next = new Map(map)
  if (value === null) next.delete(place)
  else next.set(place, value)
  return next
}

// Nothing of one user may stay for the next.
onTokenChange(() => {
  if (readToken() === null) become(NOTHING)
})
