import { auth, type User } from '#contract/accounts/auth.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { ErrorBody, ErrorCode } from '#contract/platform/errors.ts'
import { call } from '#web/platform/api/call.ts'
import { isRefusal, NETWORK_ERROR, sentenceOf } from '#web/platform/api/errors.ts'
import { clearToken, onSessionDoubt, onTokenChange, readToken, storeToken } from '#web/platform/api/token.ts'
import { logInSentence } from './sentences.ts'
import { forgetStoredUser, readStoredUser, storeUser } from './stored-user.ts'
import { isUsableToken } from './token-claims.ts'

/** How a log-in or a sign-up went; `fields` names what of the input is wrong and why, `code` is the server's. */
export type Outcome =
  | { ok: true }
  | {
      ok: false
      message: string
      fields?: Record<string, string>
      code?: ErrorCode
      /** Of BANNED, and what lets the user appeal. */
      ban?: NonNullable<ErrorBody['ban']>
      appealToken?: string | undefined
    }

export type Known = {
  /** `checking` until the server has said whether the stored token is still good. */
  state: 'checking' | 'signed-out' | 'signed-in'
  user: User | null
  token: string | null
}

export type SessionStore = {
  read: () => Known
  watch: (listener: () => void) => () => void
  /** Begins to follow the stored token; returns the way to stop. */
  start: () => () => void
  /** `totp` is the code of the second step, for accounts that have one. */
  logIn: (email: string, password: string, totp?: string) => Promise<Outcome>
  logOut: () => Promise<void>
  refreshUser: () => Promise<void>
}

const SIGNED_OUT: Known = { state: 'signed-out', user: null, token: null }
/** While the server cannot be reached the session is asked for again this often. */
const ASK_AGAIN_MS = 5000
/** Too many requests: the session itself is not in question. */
const TOO_MANY = 429

/**
 * The session of this browser: one token for all tabs, asked about on load and whenever the server has doubts.
 *
 * `onLeave` is called when the user is gone, or is another: nothing loaded for them may stay. `onProblem` gets a
 * sentence when the server cannot be reached, which signs nobody out.
 */
export function makeSessionStore(does: {
  onLeave: () => void
  onProblem: (sentence: string) => void
}): SessionStore {
  let known = startingPoint()
  let again: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  const become = (next: Known) => {
    if (known.user !== null && known.user.id !== next.user?.id) does.onLeave()
    known = next
    for (const listener of listeners) listener()
  }
  const enter = (user: User, token: string) => {
    storeUser(user)
    become({ state: 'signed-in', user, token })
  }
  const leave = () => {
    clearTimeout(again)
    forgetStoredUser(known.user ?? readStoredUser())
    become(SIGNED_OUT)
  }

  const check = async (): Promise<void> => {
    clearTimeout(again)
    const token = readToken()
    if (token === null) return leave()
    try {
      const user = await call(auth.me, { token })
      if (readToken() === token) enter(user, token)
    } catch (error) {
      // Meanwhile somebody has logged in or out: this answer is about the past.
      if (readToken() !== token) return
      if (isRefusal(error) && error.status !== TOO_MANY) return clearToken()
      does.onProblem(sentenceOf(error, NETWORK_ERROR))
      const user = readStoredUser()
      if (known.state === 'checking' && user !== null) become({ state: 'signed-in', user, token })
      again = setTimeout(() => void check(), ASK_AGAIN_MS)
    }
  }

  return {
    read: () => known,
    watch: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start: () => {
      const stopToken = onTokenChange(() => {
        if (readToken() !== known.token) void check()
      })
      const stopDoubt = onSessionDoubt(() => void check())
      if (known.token !== null) void check()
      return () => {
        clearTimeout(again)
        stopToken()
        stopDoubt()
      }
    },
    logIn: async (email, password, totp) => {
      let reply: ReplyOf<typeof auth.login>
      try {
        reply = await call(auth.login, { body: { email, password, ...(totp === undefined ? {} : { totp }) } })
      } catch (error) {
        return failed(error, logInSentence(error))
      }
      enter(reply.user, reply.token)
      storeToken(reply.token)
      return { ok: true }
    },
    logOut: async () => {
      // The server ends the session; should it not hear of it, this browser forgets it all the same.
      await call(auth.logout).catch(() => undefined)
      clearToken()
    },
    refreshUser: check,
  }
}

function startingPoint(): Known {
  const token = readToken()
  if (token === null) return SIGNED_OUT
  if (isUsableToken(token)) return { state: 'checking', user: null, token }
  clearToken()
  forgetStoredUser(readStoredUser())
  return SIGNED_OUT
}

/** What of a refusal a form shows. */
export function failed(error: unknown, message: string): Outcome {
  const { fields, code, ban, appealToken } = isRefusal(error) ? error : {}
  return {
    ok: false,
    message,
    ...(fields === undefined ? {} : { fields }),
    ...(code === undefined ? {} : { code }),
    ...(ban === undefined ? {} : { ban, appealToken }),
  }
}
