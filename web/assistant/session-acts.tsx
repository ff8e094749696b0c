import { MoreHorizontal, Pencil, Trash2 } from 'lucide-react'
import { Suspense } from 'react'
import type { ChatSession } from '#contract/assistant/assistant.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { Menu } from '#web/platform/ui/Menu.tsx'
import type { Chat } from './use-chat.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const NewChatDialog = lazyPart(() => import('./NewChatDialog.tsx'), 'NewChatDialog')
const RenameChatDialog = lazyPart(() => import('./RenameChatDialog.tsx'), 'RenameChatDialog')
const DeleteChat = lazyPart(() => import('./DeleteChat.tsx'), 'DeleteChat')

/** What can be done with conversations beside opening them. */
export type SessionActs = {
  add: () => void
  rename: (session: ChatSession) => void
  remove: (session: ChatSession) => void
}

type Shown = { act: 'add' } | { act: 'rename' | 'remove'; session: ChatSession }

/** The acts and the dialogs that they open; `onDone` is told when another conversation is open. */
export function useSessionActs(chat: Chat, onDone?: () => void) {
  const { what: shown, turn, show, props } = useOpened<Shown>()
  const acts: SessionActs = {
    add: () => show({ act: 'add' }),
    rename: (session) => show({ act: 'rename', session }),
    remove: (session) => show({ act: 'remove', session }),
  }
  const dialogs = (
    <Suspense fallback={null}>
      {shown === null ? null : shown.act === 'add' ? (
        <NewChatDialog
          key={turn}
          {...props}
          onAdded={(id) => {
            chat.open(id)
            onDone?.()
          }}
        />
      ) : shown.act === 'rename' ? (
        <RenameChatDialog key={turn} {...props} session={shown.session} />
      ) : (
        <DeleteChat key={turn} {...props} session={shown.session} onDeleted={chat.leave} />
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
