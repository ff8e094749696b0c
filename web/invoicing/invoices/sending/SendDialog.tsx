import { useQueryClient } from '@tanstack/react-query'
import { Paperclip } from 'lucide-react'
import { useState } from 'react'
import { KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { refreshMails, tellSent, UNDO_SECONDS } from '#web/mail/compose/after-sending.ts'
import { wantsSettings } from '#web/mail/compose/check-draft.ts'
import { FromLine } from '#web/mail/compose/FromLine.tsx'
import { RecipientsInput } from '#web/crm/contacts/RecipientsInput.tsx'
import { badRecipient } from '#web/crm/contacts/recipients.ts'
import { senderOf } from '#web/mail/compose/sender.ts'
import { useNeededSettings } from '#web/mail/compose/use-needed-settings.tsx'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { CHANGED, type Subject } from '../list/invoice-acts.ts'

type Words = { to: string; cc: string; subject: string; text: string }
type Faults = Partial<Record<keyof Words, string>>

type SendDialogProps = {
  open: boolean
  onClose: () => void
  invoice: Subject
  /** Opens the dialog again: sending was undone. */
  onUndone: () => void
}

/** The mail with an issued document: Howl proposes it, the user may change every word, and sends it with Undo. */
export function SendDialog({ open, onClose, invoice, onUndone }: SendDialogProps) {
  const { id, kind, number } = invoice
  const client = useQueryClient()
  const settings = useNeededSettings()
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const [edited, setEdited] = useState<Partial<Words>>({})
  const [mailboxId, setMailboxId] = useState<number | null>(null)
  const [faults, setFaults] = useState<Faults>({})
  const [fault, setFault] = useState<string | null>(null)
  const [hasCc, setHasCc] = useState(false)
  const proposal = useEndpoint(invoiceMail.proposal, { params: { id }, staleTime: 0 })
  const accounts = useEndpoint(mailboxes.accounts)
  const { data } = proposal
  const begun = data?.mailbox_id ?? null
  const account = mailboxId ?? begun
  const words: Words | null = data === undefined ? null : { ...data, ...edited }
  const set = (part: Partial<Words>) => {
    setEdited((now) => ({ ...now, ...part }))
    setFaults((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !(name in part))))
  }
  const noun = KIND_WORDS[kind].name
  const failed = `Failed to send the ${noun.toLowerCase()}`
  const refreshAll = () => {
    for (const each of [...CHANGED, invoiceMail.mails, invoiceMail.proposal]) void refresh(client, each)
  }
  const send = useCommand(invoiceMail.send, {
    onSuccess: (sent) => {
      refreshMails(client)
      refreshAll()
      const reopen = () => {
        refreshAll()
        onUndone()
      }
      tellSent(client, sent, `${noun} sent`, reopen, failed)
      onClose()
    },
    onError: (error) => refuse(error),
  })
  const refuse = (error: ApiError) => {
    // A refused mail is kept as a draft, which the page shows.
    refreshAll()
    if (wantsSettings(error)) return settings.explain()
    const known = Object.entries(error.fields ?? {}).filter(([name]) => words !== null && name in words)
    setFaults(Object.fromEntries(known))
    setFault(known.length > 0 ? null : sentenceOf(error, failed))
  }
  const submit = () => {
    if (words === null || send.isPending) return
    setFault(null)
    const found = faultsOf(words)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const { to, cc, subject, text } = words
    const from = senderOf(accounts.data ?? [], begun, account)
    send.mutate({
      params: { id },
      body: { to, cc, subject, text, mailbox_id: from?.id ?? null, undo_seconds: UNDO_SECONDS },
      idempotencyKey,
    })
  }
  return (
    <>
      <Dialog
        open={open && !settings.areNeeded}
        onClose={onClose}
        title={`Send ${noun.toLowerCase()} ${number}`}
        size="l"
        busy={send.isPending}
        error={fault}
        onSubmit={submit}
        startsInField={words !== null}
        submit="Send"
        submitDisabled={words === null}
      >
        {words === null ? (
          proposal.isError ? (
            <LoadFailed
              query={proposal}
              message={sentenceOf(proposal.error, 'The email could not be prepared.')}
            />
          ) : (
            <Coming />
          )
        ) : (
          <div className="flex flex-col gap-4">
            {data?.refusal == null || words.to !== data.to ? null : <Alert>{data.refusal}</Alert>}
            <FromLine begun={begun} chosen={account} onChoose={setMailboxId} onConnect={settings.explain} />
            <Field
              label="To"
              error={faults.to}
              required
              aside={
                hasCc || words.cc !== '' ? undefined : (
                  <button type="button" className="text-link" onClick={() => setHasCc(true)}>
                    Add Cc
                  </button>
                )
              }
            >
              <RecipientsInput value={words.to} onChange={(to) => set({ to })} />
            </Field>
            {hasCc || words.cc !== '' ? (
              <Field label="Cc" error={faults.cc}>
                <RecipientsInput value={words.cc} onChange={(cc) => set({ cc })} />
              </Field>
            ) : null}
            <Field label="Subject" error={faults.subject} required>
              <TextInput
                value={words.subject}
                maxLength={998}
                onChange={(event) => set({ subject: event.target.value })}
              />
            </Field>
            <Field label="Message" error={faults.text} required>
              <TextArea
                value={words.text}
                dir="auto"
                maxLength={20_000}
                onChange={(event) => set({ text: event.target.value })}
                className="min-h-64"
              />
            </Field>
            <p className="flex min-w-0 items-center gap-2 text-ink-2">
              <Paperclip aria-hidden className="size-4 shrink-0" />
              <span className="sr-only">Attached: </span>
              <span className="min-w-0 wrap-anywhere">{data?.file_name}</span>
            </p>
          </div>
        )}
      </Dialog>
      {settings.dialog}
    </>
  )
}

const BAD_ADDRESS = 'Please enter a valid email address'

function faultsOf({ to, cc, subject, text }: Words): Faults {
  const faults: Faults = {}
  if (to.trim() === '') faults.to = 'Please enter an email address'
  else if (badRecipient(to) !== null) faults.to = BAD_ADDRESS
  if (badRecipient(cc) !== null) faults.cc = BAD_ADDRESS
  if (subject.trim() === '') faults.subject = 'Please enter a subject'
  if (text.trim() === '') faults.text = 'Please write something'
  return faults
}

function Coming() {
  return (
    <div aria-busy className="flex flex-col gap-4">
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-9" />
      <Skeleton className="h-9" />
      <Skeleton className="h-64" />
    </div>
  )
}
