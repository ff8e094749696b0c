import { X } from 'lucide-react'
import { useState } from 'react'
import { assistant, CHAT_TITLE_MAX } from '#contract/assistant/assistant.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCommand } from '#web/platform/api/queries.ts'
import { ContactPicker } from '#web/invoicing/invoices/ContactPicker.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import type { Subject } from './chat-store.ts'
import { setDetail } from './turns.ts'

const NO_NAME = 'Please enter a name'
const NOT_ADDED = 'Failed to create new chat session. Please try again.'

/** Begins a conversation with a name and, if it is about somebody, a contact. */
export function NewChatDialog(props: { open: boolean; onClose: () => void; onAdded: (id: number) => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [subject, setSubject] = useState<Subject | null>(null)
  const [isBlank, setBlank] = useState(false)
  const add = useCommand(assistant.addSession, {
    refreshes: [assistant.sessions],
    onSuccess: (session) => {
      setDetail(client, session.id, () => session)
      props.onClose()
      props.onAdded(session.id)
    },
  })
  const submit = () => {
    setBlank(name.trim() === '')
    if (name.trim() === '' || add.isPending) return
    add.mutate({
      body: {
        title: name.trim(),
        ...(subject === null ? {} : { contact_name: subject.name, contact_email: subject.email }),
      },
    })
  }
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title="New Chat"
      size="s"
      onSubmit={submit}
      busy={add.isPending}
      error={add.error === null ? null : NOT_ADDED}
      submit="Create Chat"
    >
      <div className="flex flex-col gap-4 pb-1">
        <Field label="Name" required error={isBlank && name.trim() === '' ? NO_NAME : undefined}>
          <TextInput
            value={name}
            maxLength={CHAT_TITLE_MAX}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Field label="Contact" help={subject === null ? 'If the chat is about somebody.' : undefined}>
          {subject === null ? (
            <ContactPicker
              onChoose={({ id, name: of, email }) => setSubject({ name: of, email, contactId: id })}
            />
          ) : (
            <span className="flex items-center justify-between gap-2 rounded-md border border-line bg-sunken py-0.5 pr-0.5 pl-2.5">
              <span className="min-w-0 truncate">
                {subject.name || subject.email}{' '}
                <span className="text-ink-2">{subject.name === '' ? '' : subject.email}</span>
              </span>
              <IconButton size="s" label="Remove contact" icon={<X />} onClick={() => setSubject(null)} />
            </span>
          )}
        </Field>
      </div>
    </Dialog>
  )
}
