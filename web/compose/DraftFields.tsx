import { lazy, memo, Suspense, useState } from 'react'
import { Field } from '#web/ui/Field.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import type { NewDraft } from './new-draft.ts'
import { DropFiles, AttachmentsField } from './AttachmentsField.tsx'
import { FromLine } from './FromLine.tsx'
import { OriginalMail } from './OriginalMail.tsx'
import { RecipientsInput } from './RecipientsInput.tsx'
import type { useDraft } from './use-draft.ts'

// The editor is by far the heaviest part of writing: the fields are there before it, and it is on its way before them.
const editorPart = import('./Editor.tsx')
// Whoever draws it hears of the failure.
editorPart.catch(() => {})
const Editor = lazy(() =>
  editorPart.then((part) => ({
    // What it begins with counts once: a letter typed into the subject is no reason to draw the words anew.
    default: memo(part.Editor, (was, is) => was.invalid === is.invalid && was.onChange === is.onChange),
  })),
)

type LetterFieldsProps = { begun: NewDraft; letter: ReturnType<typeof useDraft>; onConnect: () => void }

/** From whom and to whom it goes, what it is about, its words, its files, and the mail that stands below. */
export function DraftFields({
  begun,
  letter: { letter, set, faults, uploads, ...rest },
  onConnect,
}: LetterFieldsProps) {
  return (
    <DropFiles onFiles={uploads.add}>
      <FromLine onConnect={onConnect} />
      <People letter={letter} set={set} faults={faults} />
      <Field label="Subject" error={faults.subject} required>
        <TextInput
          value={letter.subject}
          onChange={(event) => set({ subject: event.target.value })}
          autoComplete="off"
        />
      </Field>
      <div className="flex grow flex-col gap-1.5">
        <span aria-hidden className="required-mark text-sm font-medium">
          Content
        </span>
        <Suspense fallback={<Skeleton className="h-56 w-full rounded-md" />}>
          <Editor
            label="Content"
            begin={letter}
            onChange={set}
            invalid={faults.content !== undefined}
            describedBy="compose-content-note"
            startsHere={begun.letter.to !== ''}
          />
        </Suspense>
        <p id="compose-content-note" className="text-sm text-danger empty:hidden">
          {faults.content}
        </p>
      </div>
      <AttachmentsField uploads={uploads} />
      {begun.original === null ? null : (
        <OriginalMail
          original={begun.original}
          included={rest.withOriginal}
          onInclude={rest.setWithOriginal}
        />
      )}
    </DropFiles>
  )
}

type PeopleProps = Pick<LetterFieldsProps['letter'], 'letter' | 'set' | 'faults'>

function People({ letter, set, faults }: PeopleProps) {
  const [showsCopies, setShowsCopies] = useState(letter.cc + letter.bcc !== '')
  return (
    <>
      <Field
        label="To"
        error={faults.to}
        required
        aside={
          showsCopies ? null : (
            <button type="button" className="text-link" onClick={() => setShowsCopies(true)}>
              Cc and Bcc
            </button>
          )
        }
      >
        <RecipientsInput value={letter.to} onChange={(to) => set({ to })} />
      </Field>
      {showsCopies ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Cc" error={faults.cc}>
            <RecipientsInput value={letter.cc} onChange={(cc) => set({ cc })} />
          </Field>
          <Field label="Bcc" error={faults.bcc}>
            <RecipientsInput value={letter.bcc} onChange={(bcc) => set({ bcc })} />
          </Field>
        </div>
      ) : null}
    </>
  )
}
