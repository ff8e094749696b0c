import { CalendarClock } from 'lucide-react'
import { type KeyboardEvent, Suspense, useState } from 'react'
import type { Email } from '#contract/mail/emails.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { fullTime } from '#web/platform/dates/mail-age.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import type { NewDraft } from './new-draft.ts'
import { DraftFields } from './DraftFields.tsx'
import { useDraft } from './use-draft.ts'
import { useNeededSettings } from './use-needed-settings.tsx'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const SendLater = lazyPart(() => import('./SendLater.tsx'), 'SendLater')

type ComposeDialogProps = {
  open: boolean
  begun: NewDraft
  onClose: () => void
  onScheduled: () => void
  /** Opens another mail in this dialog: one whose sending was undone. */
  onWrite: (mail: Email) => void
}

/**
 * The compose dialog: a new mail, a reply, a forward or an existing draft. The text is saved on the server as the user
 * types.
 */
export function ComposeDialog({ open, begun: first, onClose, onScheduled, onWrite }: ComposeDialogProps) {
  // A signature that is changed elsewhere meanwhile would make words of the old one.
  const [begun] = useState(first)
  const timeZone = useTimeZone()
  const settings = useNeededSettings()
  const [step, setStep] = useState<'writing' | 'time' | 'leaving'>('writing')
  const draft = useDraft(begun, { onClose, onScheduled, onWrite, onSettingsNeeded: settings.explain })
  const { isScheduled, isBusy } = draft
  // Only a draft is saved automatically; a changed scheduled mail needs a question first.
  const close = () => (isScheduled && draft.hasChanged ? setStep('leaving') : void draft.close())
  return (
    <>
      <Dialog
        open={open && step === 'writing' && !settings.areNeeded}
        onClose={close}
        title={begun.title}
        size="page"
        // A reply already has its recipient, so the cursor starts in the text.
        startsInField={begun.draft.to === ''}
        onSubmit={() => void draft.sendAt(null)}
        busy={isBusy}
        error={draft.fault}
        footer={
          <>
            <SaveState state={draft.saved} />
            <Button onClick={() => void draft.cancel()} disabled={isBusy}>
              Cancel
            </Button>
            <Button onClick={() => void draft.save()} busy={draft.isSaving}>
              {isScheduled ? 'Save changes' : 'Save Draft'}
            </Button>
            <IconButton
              label="Send later"
              icon={<CalendarClock aria-hidden />}
              disabled={isBusy}
              onClick={() => setStep('time')}
              className="border border-line"
            />
            <Button type="submit" variant="primary" busy={draft.isSending}>
              {isScheduled ? 'Send now' : 'Send Email'}
            </Button>
          </>
        }
      >
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles keys of the fields inside */}
        <div onKeyDown={(event) => sendByKey(event, () => void draft.sendAt(null))}>
          {begun.scheduledAt === null ? null : (
            <p className="mb-4 rounded-md bg-sunken px-3 py-2 text-sm">
              Scheduled for {fullTime(new Date(begun.scheduledAt), timeZone)}.
            </p>
          )}
          <DraftFields begun={begun} draft={draft} onConnect={settings.explain} />
        </div>
      </Dialog>
      <Suspense fallback={null}>
        {step === 'time' ? (
          <SendLater
            open={open}
            onClose={() => setStep('writing')}
            onChoose={(at) => {
              setStep('writing')
              void draft.sendAt(at)
            }}
          />
        ) : null}
      </Suspense>
      <ConfirmDialog
        open={open && step === 'leaving'}
        onClose={() => setStep('writing')}
        title="Discard your changes?"
        action="Discard"
        danger
        busy={false}
        error={null}
        onConfirm={onClose}
      >
        The email stays scheduled as before.
      </ConfirmDialog>
      {settings.dialog}
    </>
  )
}

/** Ctrl Enter sends from anywhere. Enter alone in a field does not send: half a draft would leave too easily. */
function sendByKey(event: KeyboardEvent, send: () => void): void {
  if (event.key !== 'Enter') return
  const isField = event.target instanceof HTMLInputElement && event.target.type !== 'checkbox'
  if (event.ctrlKey || event.metaKey) send()
  else if (!isField) return
  event.preventDefault()
}

const STATES = { nothing: '', saving: 'Saving…', saved: 'Saved in Drafts', failed: 'Not saved yet' } as const

function SaveState({ state }: { state: keyof typeof STATES }) {
  return (
    <span
      aria-live="polite"
      className="mr-auto self-center text-sm text-ink-2 max-sm:w-full max-sm:empty:hidden"
    >
      {STATES[state]}
    </span>
  )
}
