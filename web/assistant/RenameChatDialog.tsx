import { useState } from 'react'
import { assistant, CHAT_TITLE_MAX, type ChatSession } from '#contract/assistant/assistant.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'

const NO_NAME = 'Please enter a name'

/** Gives a conversation another title. */
export function RenameChatDialog(props: { open: boolean; onClose: () => void; session: ChatSession }) {
  const { open, onClose, session } = props
  const [name, setName] = useState(session.title)
  const rename = useCommand(assistant.renameSession, {
    refreshes: [assistant.sessions, assistant.getSession],
    onSuccess: onClose,
  })
  const isBlank = name.trim() === ''
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Rename chat"
      size="s"
      onSubmit={() => {
        if (!isBlank && !rename.isPending)
          rename.mutate({ params: { id: session.id }, body: { title: name.trim() } })
      }}
      busy={rename.isPending}
      error={rename.error === null ? null : sentenceOf(rename.error, 'Failed to rename the chat')}
      submit="Rename"
    >
      <div className="pb-1">
        <Field label="Name" required error={isBlank ? NO_NAME : undefined}>
          <TextInput
            value={name}
            maxLength={CHAT_TITLE_MAX}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
      </div>
    </Dialog>
  )
}
