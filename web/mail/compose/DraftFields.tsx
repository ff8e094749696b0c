import { lazy, memo, Suspense, useState } from 'react'
import { Field } from '#web/platform/ui/Field.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import type { NewDraft } from './new-draft.ts'
import { DropFiles } from '#web/platform/ui/DropFiles.tsx'
import { AttachmentsField } from './AttachmentsField.tsx'
import { FromLine } from './FromLine.tsx'
import { OriginalMail } from './OriginalMail.tsx'
import { RecipientsInput } from '../../crm/contacts/RecipientsInput.tsx'
import type { useDraft } from './use-draft.ts'

// The editor is by far the largest part of the compose dialog. It starts loading first, and the fields show before it
// arrives.
const editorPart = import('./Editor.tsx')
// The component that renders the editor reports the failure.
editorPart.catch(() => {})
const Editor = lazy(() =>
  editorPart.then((part) => ({
    // The initial text is used once: typing in the subject must not rerender the editor.
    default: memo(part.Editor, (was, is) => was.invalid === is.invalid && was.onChange === is.onChange),
  })),
)

type DraftFieldsProps = { begun: NewDraft; draft: ReturnType<typeof useDraft>; onConnect: () => void }

/** The fields of a draft: sender, recipients, subject, text, files, and the original mail below. */
export function DraftFields({
  begun,
  draft: { draft, set, faults, uploads, ...rest },
  onConnect,
}: DraftFieldsProps) {
  return (
    <DropFiles onFiles={uploads.add} className="flex-col gap-4">
      <FromLine
        begun={begun.draft.mailboxId}
        chosen={draft.mailboxId}
        onChoose={(mailboxId) => set({ mailboxId })}
        onConnect={onConnect}
      />
      <People draft={draft} set={set} faults={faults} />
      <Field label="Subject" error={faults.subject} required>
        <TextInput
          value={draft.subject}
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
            begin={draft}
            onChange={set}
            invalid={faults.content !== undefined}
            describedBy="compose-content-note"
            startsHere={begun.draft.to !== ''}
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

type PeopleProps = Pick<DraftFieldsProps['draft'], 'draft' | 'set' | 'faults'>

function People({ draft, set, faults }: PeopleProps) {
  const [showsCopies, setShowsCopies] = useState(draft.cc + draft.bcc !== '')
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
        <RecipientsInput value={draft.to} onChange={(to) => set({ to })} />
      </Field>
      {showsCopies ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Cc" error={faults.cc}>
            <RecipientsInput value={draft.cc} onChange={(cc) => set({ cc })} />
          </Field>
          <Field label="Bcc" error={faults.bcc}>
            <RecipientsInput value={draft.bcc} onChange={(bcc) => set({ bcc })} />
          </Field>
        </div>
      ) : null}
    </>
  )
}
