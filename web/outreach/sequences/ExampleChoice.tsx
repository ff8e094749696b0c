import { FileText, Plus } from 'lucide-react'
import { useNavigate } from 'react-router'
import { sequences } from '#contract/outreach/sequences.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { InEnglish } from '../runs/InEnglish.tsx'
import { draftOf, EXAMPLES, type SequenceExample } from './examples.ts'
import { sequencePath } from './sequence-path.ts'

/** The examples to begin with, and an empty sequence. What is chosen is made and opened at once. */
export function ExampleChoice() {
  const navigate = useNavigate()
  const add = useCommand(sequences.add, {
    refreshes: [sequences.list],
    onSuccess: ({ id }) => void navigate(sequencePath(id)),
  })
  const choose = (example: SequenceExample | null) => {
    if (!add.isPending) add.mutate({ body: draftOf(example) })
  }
  const choices = [
    ...EXAMPLES.map((example) => ({ ...example, example, icon: FileText })),
    { key: 'empty', name: 'Empty', purpose: 'Begin with no step at all.', example: null, icon: Plus },
  ]
  return (
    <>
      <ul aria-label="Begin with" className="grid gap-2.5 sm:grid-cols-2" aria-busy={add.isPending}>
        {choices.map(({ key, name, purpose, example, icon: Icon }) => (
          <li key={key} className="flex">
            <button
              type="button"
              onClick={() => choose(example)}
              className="flex w-full items-start gap-3 rounded-lg border border-line bg-surface px-3.5 py-3 text-left transition-colors hover:border-control"
            >
              <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-2" />
              <span>
                <span className="block font-medium">{name}</span>
                <span className="block text-sm text-ink-2">{purpose}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="text-sm text-ink-2 empty:hidden">
        <InEnglish />
      </p>
      <Alert>{add.error === null ? null : sentenceOf(add.error, 'Failed to add the sequence')}</Alert>
    </>
  )
}
