import { useQueryClient } from '@tanstack/react-query'
import { contacts } from '#contract/crm/contacts.ts'
import { tags } from '#contract/crm/tags.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { contactsIn, SAID } from './bulk-text.ts'

/** A bulk action on a hundred thousand contacts takes a while. */
const TIMEOUT_MS = 120_000

/** Undoes the last action and reports the result. */
export function useUndo() {
  const client = useQueryClient()
  const refreshAll = () =>
    void Promise.all(
      [contacts.list, contacts.count, contacts.get, tags.list].map((each) => refresh(client, each)),
    )
  return (undo: () => Promise<number>) => () =>
    void undo().then(
      (restored) => {
        toast.success(`Undone: ${contactsIn(restored)}`)
        refreshAll()
      },
      (error: unknown) => toast.error(sentenceOf(error, 'This can no longer be undone.')),
    )
}

/** The calls of bulk actions. Each reports its result; `onDone` is called on success. */
export function useBulkActions(onDone: () => void) {
  const undoable = useUndo()
  const undoOf = (id: number | null) =>
    id === null
      ? {}
      : {
          undo: undoable(
            async () => (await call(contacts.undoMany, { params: { id }, timeoutMs: TIMEOUT_MS })).restored,
          ),
        }
  const refreshes = [contacts.list, contacts.count, contacts.get, tags.list]
  const tag = useCommand(contacts.tagMany, {
    refreshes,
    onSuccess: ({ changed, undo_id }, { body }) => {
      toast.success(SAID.tag(changed, body?.tag ?? ''), undoOf(undo_id))
      onDone()
    },
  })
  const untag = useCommand(contacts.untagMany, {
    refreshes,
    onSuccess: ({ changed, undo_id }, { body }) => {
      toast.success(SAID.untag(changed, body?.tag ?? ''), undoOf(undo_id))
      onDone()
    },
  })
  const remove = useCommand(contacts.removeMany, {
    refreshes,
    onSuccess: ({ changed, undo_id }) => {
      toast.success(SAID.delete(changed), undoOf(undo_id))
      onDone()
    },
  })
  const stop = useCommand(contacts.stopMailing, {
    refreshes,
    onSuccess: ({ changed, at }, { body }) => {
      const undo = undoable(
        async () =>
          (
            await call(contacts.liftMailing, {
              body: { ...body, expected: undefined, stopped_at: at },
              timeoutMs: TIMEOUT_MS,
            })
          ).changed,
      )
      toast.success(SAID.stop(changed), changed === 0 ? {} : { undo })
      onDone()
    },
  })
  const lift = useCommand(contacts.liftMailing, {
    refreshes,
    onSuccess: ({ changed, unchanged }) => {
      toast.success(SAID.lift(changed, unchanged))
      onDone()
    },
  })
  return { tag, untag, remove, stop, lift, TIMEOUT_MS }
}
