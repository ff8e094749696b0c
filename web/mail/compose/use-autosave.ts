import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { emails } from '#contract/mail/emails.ts'
import { call } from '#web/platform/api/call.ts'
import { ApiError } from '#web/platform/api/errors.ts'

/** A draft is saved this long after the last key press, and a failed save is retried after the same time. */
const REST_MS = 1500
const AGAIN_MS = 10_000

type DraftBody = BodyInput<typeof emails.saveDraft>
export type Autosave = {
  state: 'nothing' | 'saving' | 'saved' | 'failed'
  /**
   * Saves the current state. Returns the draft's id, or null if there is nothing to save.
   *
   * @throws ApiError if saving fails.
   */
  flush: () => Promise<number | null>
  /** Stops automatic saving and waits for a save in flight. Returns the draft's id, if there is one. */
  pause: () => Promise<number | null>
  resume: () => void
}

/**
 * Saves a draft on the server as the user types. `body` is null while there is nothing to save. Only one save runs at a
 * time, and the latest state wins. If the draft was deleted on the server, it is created again.
 */
export function useAutosave(
  body: DraftBody | null,
  begun: { draftId: number | null; isOn: boolean },
): Autosave {
  const wanted = JSON.stringify(body)
  const [state, setState] = useState<Autosave['state']>('nothing')
  const [failures, setFailures] = useState(0)
  const draft = useRef(begun.draftId)
  const said = useRef(wanted)
  const paused = useRef(!begun.isOn)
  const queue = useRef<Promise<unknown>>(Promise.resolve())

  const save = (isAsked: boolean): Promise<void> => {
    const saved = queue.current.then(async () => {
      if (body === null || wanted === said.current || (paused.current && !isAsked)) return
      setState('saving')
      try {
        draft.current = await keep(draft.current, body)
        said.current = wanted
        setState('saved')
      } catch (error) {
        setState('failed')
        setFailures((count) => count + 1)
        throw error
      }
    })
    queue.current = saved.catch(() => undefined)
    return saved
  }
  const saveByItself = useEffectEvent(() => void save(false).catch(() => undefined))
  const isUnsaved = useEffectEvent(() => !paused.current && body !== null && wanted !== said.current)
  useEffect(() => {
    if (wanted === said.current) return undefined
    const timer = setTimeout(saveByItself, failures === 0 ? REST_MS : AGAIN_MS)
    return () => clearTimeout(timer)
  }, [wanted, failures])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isUnsaved()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('beforeunload', warn)
      // The user is going to another page of the app: save the last changes.
      saveByItself()
    }
  }, [])

  return {
    state,
    flush: async () => {
      await save(true)
      return draft.current
    },
    pause: async () => {
      paused.current = true
      await queue.current
      return draft.current
    },
    resume: () => {
      paused.current = !begun.isOn
    },
  }
}

async function keep(draftId: number | null, body: DraftBody): Promise<number> {
  if (draftId !== null) {
    const { autosave: _, from: __, ...changed } = body
    try {
      return (await call(emails.update, { params: { id: draftId }, body: changed })).id
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error
    }
  }
  return (
    await call(emails.saveDraft, { body: { ...body, autosave: true }, idempotencyKey: crypto.randomUUID() })
  ).id
}
