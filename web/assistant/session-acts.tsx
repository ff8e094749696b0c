import { MoreHorizontal, Pencil, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ChatSession } from '#contract/assistant/assistant.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { Menu } from '#web/platform/ui/Menu.tsx'
import type { Chat } from './use-chat.ts'

const NewChatDialog = lazy(() =>
  import('./NewChatDialog.tsx').then((part) => ({ default: part.NewChatDialog })),
)
const RenameChatDialog = lazy(() =>
  import('./RenameChatDialog.tsx').then((part) => ({ default: part.RenameChatDialog })),
)
const DeleteChat = lazy(() => import('./DeleteChat.tsx').then((part) => ({ default: part.DeleteChat })))

/** What can be done with conversations beside opening them. */
export type SessionActs = {
  add: () => void
  rename: (session: ChatSession) => void
  remove: (session: ChatSession) => void
}

type Shown = { act: 'add' | 'rename' | 'remove'; session: ChatSession | null; isOpen: boolean; turn: number }

/** The acts and the dialogs that they open; `onDone` is told when another conversation is open. */
export function useSessionActs(chat: Chat, onDone?: () => void) {
  const [shown, setShown] = useState<Shown>({ act: 'add', session: null, isOpen: false, turn: 0 })
  const show = (act: Shown['act'], session: ChatSession | null = null) =>
    setShown({ act, session, isOpen: true, turn: shown.turn + 1 })
  const dialog = { open: shown.isOpen, onClose: () => setShown({ ...shown, isOpen: false }) }
  const acts: SessionActs = {
    add: () => show('add'),
    rename: (session) => show('rename', session),
    remove: (session) => show('remove', session),
  }
  const dialogs = (
    <Suspense fallback={null}>
      {shown.turn === 0 ? null : shown.act === 'add' ? (
        <NewChatDialog
          key={shown.turn}
          {...dialog}
          onAdded={(id) => {
            chat.open(id)
            onDone?.()
          }}
        />
      ) : shown.session === null ? null : shown.act === 'rename' ? (
        <RenameChatDialog key={shown.turn} {...dialog} session={shown.session} />
      ) : (
        <DeleteChat key={shown.turn} {...dialog} session={shown.session} onDeleted={chat.leave} />
      )}
    </Suspense>
  )
  return { acts, dialogs }
}

type SessionMenuProps = { session: ChatSession; acts: SessionActs; label: string; className: string }

/** The menu of one conversation; `className` has the size of its button. */
export function SessionMenu({ session, acts, label, className }: SessionMenuProps) {
  return (
    <Menu
      label={label}
      trigger={<MoreHorizontal aria-hidden className="size-4" />}
      className={cx(
        'grid place-items-center rounded-md text-ink-2 hover:text-ink pointer-coarse:size-11',
        className,
      )}
      entries={[
        {
          kind: 'action',
          label: 'Rename',
          icon: <Pencil aria-hidden />,
          onSelect: () => acts.rename(session),
        },
        {
          kind: 'action',
          label: 'Delete',
          icon: <Trash2 aria-hidden />,
          onSelect: () => acts.remove(session),
        },
      ]}
    />
  )
}
