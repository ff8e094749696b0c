import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import {
  assistant,
  type ChatMessage,
  type ChatSession,
  type Proposal,
} from '#contract/assistant/assistant.ts'
import { call } from '#web/platform/api/call.ts'
import { isRefusal } from '#web/platform/api/errors.ts'
import { refresh, useEndpoint } from '#web/platform/api/queries.ts'
import { lastAssistantSessionKey } from '#web/accounts/auth/stored-user.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import {
  leavePlace,
  openPlace,
  type Place,
  placed,
  readChat,
  setDraft,
  type Subject,
  type Turn,
  watchChat,
} from './chat-store.ts'
import { askAnew, type Asked, askIn, isAnswering, stopIn } from './turns.ts'

const SESSIONS_LOADED = 50
/** An answer that somebody else's stream writes is read this often. */
const READ_EVERY_MS = 1000

/** The open conversation and the list of all. */
export type Chat = {
  /** Null until it is known which conversation to open. */
  place: Place | null
  session: ChatSession | null
  /** Whom it is about. */
  subject: Subject | null
  sessions: readonly ChatSession[] | undefined
  messages: readonly ChatMessage[]
  proposals: readonly Proposal[]
  turn: Turn | null
  /** Earlier questions that failed, and may be asked again. */
  failed: readonly Turn[]
  isLoading: boolean
  /** The conversation could not be loaded. */
  problem: { sentence: string; again: () => void } | null
  /** Wolfy is at it, in this tab or another. */
  isAnswering: boolean
  open: (place: Place) => void
  /** The conversation is gone. */
  leave: (id: number) => void
  ask: (asked: Asked) => void
  /** Asks the question again whose answer does not come. */
  askAnew: () => void
  stop: () => void
  draft: string
  setDraft: (text: string) => void
}

/** The conversations of the signed-in user. */
export function useChat(): Chat {
  const client = useQueryClient()
  const { user } = useSession()
  const { place, turns, failed, drafts, subject } = useSyncExternalStore(watchChat, readChat)
  const sessions = useEndpoint(assistant.sessions, {
    query: { limit: SESSIONS_LOADED, include_inactive: 'true' },
    enabled: user !== null,
  })
  const id = typeof place === 'number' ? place : null
  const turn = place === null ? null : (turns.get(place) ?? null)
  const detail = useEndpoint(assistant.getSession, {
    params: { id: id ?? 0 },
    enabled: id !== null && user !== null,
    refetchInterval: false,
  })
  const shown =
    turn === null ? detail.data?.messages : detail.data?.messages.filter((each) => each.id <= turn.after)
  const messages = id === null ? [] : (shown ?? [])
  const isWriting = messages.at(-1)?.status === 'writing'
  usePlace(
    user?.id ?? null,
    sessions.isError ? NO_SESSIONS : sessions.data,
    detail.error !== null && detail.data === undefined,
  )
  // It was deleted in another tab. What this browser remembered is looked after by usePlace.
  const isGone = id !== null && detail.data !== undefined && isMissing(detail.error)
  const userId = user?.id
  useEffect(() => {
    if (!isGone || id === null) return
    leavePlace(id)
    if (userId !== undefined) forget(userId, id)
  }, [isGone, id, userId])
  useReading(isWriting, () => void refresh(client, assistant.getSession))

  const open = (next: Place) => {
    openPlace(next)
    if (typeof next === 'number')
      void call(assistant.activateSession, { params: { id: next } }).then(
        () => refresh(client, assistant.sessions),
        () => undefined,
      )
  }
  const session = id === null ? null : (detail.data ?? sessions.data?.find((each) => each.id === id) ?? null)
  return {
    place,
    session,
    subject: session === null ? subject : subjectOf(session, detail.data?.contact_id ?? null),
    sessions: sessions.data,
    messages,
    proposals: detail.data?.proposals ?? [],
    turn,
    failed: (place === null ? undefined : failed.get(place)) ?? [],
    isLoading:
      place === null || (id !== null && detail.data === undefined && turn === null && !detail.isError),
    problem: problemOf(detail),
    isAnswering: (place !== null && isAnswering(place)) || isWriting,
    open,
    leave: (gone) => {
      leavePlace(gone)
      if (user !== null) forget(user.id, gone)
    },
    ask: (asked) => {
      if (!isWriting)
        void placed().then((at) => askIn(client, at, { ...asked, subject: asked.subject ?? subject }))
    },
    askAnew: () => {
      if (place !== null) void askAnew(client, place)
    },
    stop: () => {
      if (place !== null) void stopIn(client, place)
    },
    draft: drafts.get(place ?? 'new') ?? '',
    setDraft: (text) => {
      setDraft(place ?? 'new', text)
    },
  }
}

// While the list cannot be loaded, a question begins a new conversation.
const NO_SESSIONS: readonly ChatSession[] = []

const isMissing = (error: unknown) => isRefusal(error) && error.status === 404

function subjectOf({ contact_name: name, contact_email: email }: ChatSession, contactId: number | null) {
  return name === '' && email === '' ? null : { name, email, contactId }
}

type Read = { isError: boolean; data: unknown; error: unknown; refetch: () => Promise<unknown> }

function problemOf(failed: Read): Chat['problem'] {
  if (!failed.isError || failed.data !== undefined) return null
  return {
    sentence: isMissing(failed.error)
      ? 'This conversation does not exist.'
      : 'Failed to load the conversation',
    again: () => void failed.refetch(),
  }
}

/**
 * Opens the conversation that was open last; if it cannot be loaded, that is forgotten, and the active one or the first
 * is opened. Remembers whichever is open.
 */
function usePlace(
  userId: number | null,
  sessions: readonly ChatSession[] | undefined,
  isFailed: boolean,
): void {
  const { place, isRestored } = useSyncExternalStore(watchChat, readChat)
  useEffect(() => {
    if (userId === null) return
    if (place === null) {
      const last = remembered(userId)
      if (last !== null) openPlace(last, true)
      else if (sessions !== undefined) openPlace(firstOf(sessions))
    } else if (isRestored && isFailed && typeof place === 'number') {
      forget(userId, place)
      if (sessions !== undefined) openPlace(firstOf(sessions.filter(({ id }) => id !== place)))
      else openPlace(null)
    } else if (typeof place === 'number' && !isFailed) {
      remember(userId, place)
    }
  }, [userId, place, isRestored, isFailed, sessions])
}

const firstOf = (sessions: readonly ChatSession[]): Place =>
  (sessions.find((each) => each.is_active) ?? sessions[0])?.id ?? 'new'

function remembered(userId: number): number | null {
  const kept = localStorage.getItem(lastAssistantSessionKey(userId)) ?? ''
  return /^\d{1,15}$/.test(kept) ? Number(kept) : null
}

function remember(userId: number, id: number): void {
  try {
    localStorage.setItem(lastAssistantSessionKey(userId), String(id))
  } catch {
    // A full storage costs only that another conversation is open next time.
  }
}

function forget(userId: number, id: number): void {
  if (remembered(userId) === id) localStorage.removeItem(lastAssistantSessionKey(userId))
}

/** Reads again while an answer is being written elsewhere. */
function useReading(isWriting: boolean, read: () => void): void {
  useEffect(() => {
    if (!isWriting) return undefined
    const timer = setInterval(read, READ_EVERY_MS)
    return () => clearInterval(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `read` is another function each time and does the same
  }, [isWriting])
}
