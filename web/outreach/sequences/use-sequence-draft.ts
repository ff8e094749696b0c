import { useState } from 'react'
import { type Sequence, sequences } from '#contract/outreach/sequences.ts'
import { ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'

const FIELDS = ['name', 'steps', 'starts', 'hours', 'stops', 'again_after_days', 'mailbox_id'] as const
/** What the user writes of a sequence. */
export type SequenceDraft = Pick<Sequence, (typeof FIELDS)[number]>

export const draftFrom = (sequence: Sequence): SequenceDraft => ({
  name: sequence.name,
  steps: sequence.steps,
  starts: sequence.starts,
  hours: sequence.hours,
  stops: sequence.stops,
  again_after_days: sequence.again_after_days,
  mailbox_id: sequence.mailbox_id,
})

const savedFrom = (sequence: Sequence) => ({
  draft: draftFrom(sequence),
  version: sequence.version,
  at: sequence.updated_at,
})

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

export type Faults = Readonly<Record<string, string>>

/** A sequence while it is written: what is changed, what is wrong, and how it is saved. */
export function useSequenceDraft(sequence: Sequence) {
  const [saved, setSaved] = useState(() => savedFrom(sequence))
  const [draft, setDraft] = useState(saved.draft)
  const [faults, setFaults] = useState<Faults>({})
  const [fault, setFault] = useState<string | null>(null)
  const update = useCommand(sequences.update, { refreshes: [sequences.list, sequences.get] })
  if (sequence.updated_at > saved.at && isSame(draft, saved.draft)) {
    // What was shown first came from memory, or another tab has saved. Nothing is being written here, so that counts.
    const newer = savedFrom(sequence)
    setSaved(newer)
    setDraft(newer.draft)
  }

  const change = (changes: Partial<SequenceDraft> | ((now: SequenceDraft) => Partial<SequenceDraft>)) => {
    setDraft((now) => ({ ...now, ...(typeof changes === 'function' ? changes(now) : changes) }))
    setFaults({})
    setFault(null)
  }
  /** Shows what is wrong; the paths say where. */
  const refuse = (why: Faults, sentence: string) => {
    setFaults(why)
    setFault(sentence)
  }
  /** Saves what was changed. Returns the saved sequence, or null where it was refused. */
  const save = async (underWay?: 'old' | 'new'): Promise<Sequence | null> => {
    const why = faultsOf(draft)
    if (Object.keys(why).length > 0) {
      refuse(why, whereText(why))
      return null
    }
    try {
      const reply = await update.mutateAsync({
        params: { id: sequence.id },
        body: {
          // A field that was changed elsewhere meanwhile, and not here, stays.
          ...changesOf(draft, saved.draft),
          version: saved.version,
          ...(underWay === undefined ? {} : { under_way: underWay }),
        },
      })
      const next = savedFrom(reply)
      setSaved(next)
      // What was typed meanwhile stays.
      setDraft((now) => ({ ...next.draft, ...changesOf(now, draft) }))
      return reply
    } catch (error) {
      const said = error instanceof ApiError ? (error.fields ?? {}) : {}
      const isPlaced = Object.keys(said).length > 0
      refuse(said, isPlaced ? whereText(said) : sentenceOf(error, 'Failed to save the sequence'))
      return null
    }
  }
  return {
    draft,
    change,
    faults,
    fault,
    save,
    isSaving: update.isPending,
    isDirty: !isSame(draft, saved.draft),
    hasNewSteps: !isSame(draft.steps, saved.draft.steps),
  }
}

/** The fields that the user has changed. */
const changesOf = (draft: SequenceDraft, saved: SequenceDraft): Partial<SequenceDraft> =>
  Object.fromEntries(
    FIELDS.flatMap((field) => (isSame(draft[field], saved[field]) ? [] : [[field, draft[field]]])),
  )

/** What the server would refuse, by the path of the field. */
function faultsOf(draft: SequenceDraft): Record<string, string> {
  const { error } = sequences.update.body?.safeParse(draft) ?? {}
  const faults: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) faults[path.join('.')] ??= message
  return faults
}

/** Leads the eye to the first fault. */
function whereText(faults: Faults): string {
  const [path = '', why = ''] = Object.entries(faults)[0] ?? []
  const step = /^steps\.(\d+)\./.exec(path)?.[1]
  return step === undefined ? why : `Step ${Number(step) + 1}: ${why}`
}
