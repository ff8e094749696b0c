import { MessagesSquare, PanelLeftClose, PanelLeftOpen, Plus, SquarePen } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#web/platform/ui/cx.ts'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Sheet } from '#web/platform/ui/Sheet.tsx'
import { About } from './About.tsx'
import { Conversation } from './Conversation.tsx'
import { SessionMenu, type SessionActs, useSessionActs } from './session-acts.tsx'
import { SessionList } from './SessionList.tsx'
import { type Chat, useChat } from './use-chat.ts'
import { usePageQuestions } from './use-page-questions.ts'

/** Conversations that the collapsed list shows. */
const COLLAPSED = 5
const COLLAPSED_KEY = 'wolfy.collapsed'

/** Wolfy's page: the list of conversations beside the open one; on phones the list comes over it. */
export function AssistantPage() {
  useDocumentTitle('AI Business Assistant')
  const chat = useChat()
  const first = usePageQuestions(chat)
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(COLLAPSED_KEY) === 'true')
  const [isListOpen, setListOpen] = useState(false)
  const { acts, dialogs } = useSessionActs(chat, () => setListOpen(false))
  const collapse = (next: boolean) => {
    setCollapsed(next)
    localStorage.setItem(COLLAPSED_KEY, String(next))
  }
  return (
    <div className="flex h-full">
      {isCollapsed ? (
        <Collapsed chat={chat} acts={acts} onExpand={() => collapse(false)} />
      ) : (
        <aside
          aria-label="Select Chat Session"
          className="flex w-68 shrink-0 flex-col border-r border-line bg-surface max-md:hidden"
        >
          <div className="flex items-center justify-between gap-2 py-3 pr-2 pl-4">
            <h2 className="font-medium">Select Chat Session</h2>
            <IconButton
              size="s"
              label="Collapse chats"
              icon={<PanelLeftClose />}
              onClick={() => collapse(true)}
            />
          </div>
          <SessionList chat={chat} acts={acts} className="flex-1" />
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <Head chat={chat} acts={acts} onList={() => setListOpen(true)} />
        <Conversation chat={chat} first={first} />
      </div>
      <Sheet open={isListOpen} onClose={() => setListOpen(false)} title="Select Chat Session">
        <SessionList
          chat={chat}
          acts={acts}
          onChosen={() => setListOpen(false)}
          className="-mx-3 min-h-[60dvh] pt-3"
        />
      </Sheet>
      {dialogs}
    </div>
  )
}

function Head({ chat, acts, onList }: { chat: Chat; acts: SessionActs; onList: () => void }) {
  const { session, subject } = chat
  return (
    <header className="flex min-h-14 items-center gap-2 border-b border-line px-3 py-1.5 md:px-6">
      <IconButton
        label="Chats"
        icon={<MessagesSquare />}
        onClick={onList}
        className="md:hidden"
        aria-haspopup="dialog"
      />
      <div className="min-w-0 flex-1">
        <h1 className="truncate font-display text-lg leading-tight font-medium tracking-tight">
          AI Business Assistant
        </h1>
        <p className="truncate text-sm text-ink-2">
          {session?.title ?? 'New conversation'}
          {subject === null ? null : (
            <>
              {' · '}
              <About subject={subject} />
            </>
          )}
        </p>
      </div>
      <IconButton label="New conversation" icon={<SquarePen />} onClick={() => chat.open('new')} />
      {session === null ? null : (
        <SessionMenu
          session={session}
          acts={acts}
          label="More actions"
          className="size-8.5 hover:bg-sunken"
        />
      )}
    </header>
  )
}

/** The list as icons: the five last used. */
function Collapsed({ chat, acts, onExpand }: { chat: Chat; acts: SessionActs; onExpand: () => void }) {
  return (
    <aside
      aria-label="Select Chat Session"
      className="flex w-14 shrink-0 flex-col items-center gap-2 border-r border-line bg-surface py-3 max-md:hidden"
    >
      <IconButton label="Expand chats" icon={<PanelLeftOpen />} onClick={onExpand} />
      <IconButton label="New Chat" icon={<Plus />} onClick={acts.add} />
      <ul aria-label="Chats" className="flex flex-col gap-1.5 border-t border-line pt-3">
        {chat.sessions?.slice(0, COLLAPSED).map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              aria-label={title}
              aria-current={id === chat.place || undefined}
              data-tip={title}
              onClick={() => chat.open(id)}
              className={cx(
                'grid size-9 place-items-center rounded-lg text-sm font-medium transition-colors',
                id === chat.place ? 'bg-accent-soft text-accent' : 'bg-sunken text-ink-2 hover:text-ink',
              )}
            >
              {initialsOf(title)}
            </button>
          </li>
        ))}
      </ul>
    </aside>
  )
}

/** The first letters of the first two words. */
const initialsOf = (title: string) =>
  (title.match(/[\p{L}\p{N}]+/gu) ?? ['?'])
    .slice(0, 2)
    .map((word) => Array.from(word)[0])
    .join('')
    .toUpperCase()
