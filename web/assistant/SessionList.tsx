import { Plus } from 'lucide-react'
import { useState } from 'react'
import { assistant, type ChatSession } from '#contract/assistant/assistant.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { DelayedInput } from '#web/platform/ui/DelayedInput.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { SessionMenu, type SessionActs } from './session-acts.tsx'
import { aboutOf, narrowTitle } from './session-text.ts'
import type { Chat } from './use-chat.ts'

const SESSIONS_LOADED = 50

type SessionListProps = {
  chat: Chat
  acts: SessionActs
  /** One was chosen. */
  onChosen?: () => void
  className?: string
}

/** All conversations, the last used first, with their search. */
export function SessionList({ chat, acts, onChosen, className }: SessionListProps) {
  const [search, setSearch] = useState('')
  const found = useEndpoint(assistant.sessions, {
    query: { limit: SESSIONS_LOADED, include_inactive: 'true', search },
  })
  const rows = found.data
  return (
    <div className={cx('flex min-h-0 flex-col', className)}>
      <div className="flex flex-col gap-2 px-3 pb-2">
        <Button variant="primary" icon={<Plus aria-hidden className="size-4" />} onClick={acts.add}>
          New Chat
        </Button>
        <DelayedInput value={search} onRest={setSearch}>
          {(control) => (
            <SearchInput {...control} aria-label="Search chats" placeholder="Search chats" maxLength={100} />
          )}
        </DelayedInput>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {rows !== undefined ? (
          rows.length === 0 ? (
            <p className="px-2 py-3 text-ink-2">
              {search === ''
                ? 'No chats yet. Your first message begins one.'
                : `No chat found for “${search}”.`}
            </p>
          ) : (
            <ul aria-label="Chats" className="flex flex-col gap-px">
              {rows.map((session) => (
                <Row
                  key={session.id}
                  session={session}
                  isOpen={session.id === chat.place}
                  acts={acts}
                  onChoose={() => {
                    chat.open(session.id)
                    onChosen?.()
                  }}
                />
              ))}
            </ul>
          )
        ) : found.isError ? (
          <LoadFailed query={found} message="Failed to load chats" />
        ) : (
          <div aria-busy className="flex flex-col gap-3 px-2 py-2">
            {[1, 2, 3, 4].map((each) => (
              <Skeleton key={each} className="h-5 w-full" />
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

type RowProps = { session: ChatSession; isOpen: boolean; acts: SessionActs; onChoose: () => void }

function Row({ session, isOpen, acts, onChoose }: RowProps) {
  const about = aboutOf(session)
  return (
    <li
      data-row
      className={cx('group flex items-center rounded-md', isOpen ? 'bg-accent-soft' : 'hover:bg-sunken')}
    >
      <button
        type="button"
        aria-current={isOpen || undefined}
        title={session.title}
        onClick={onChoose}
        className="min-w-0 flex-1 rounded-md px-2 py-1.5 text-left focus-visible:-outline-offset-2 pointer-coarse:py-2.5"
      >
        <span className={cx('block truncate', isOpen && 'font-medium')}>{narrowTitle(session.title)}</span>
        {about === '' || about === session.title ? null : (
          <span className="block truncate text-xs text-ink-2">About {about}</span>
        )}
      </button>
      <span className="row-actions shrink-0">
        <SessionMenu
          session={session}
          acts={acts}
          label={`More actions for ${session.title}`}
          className="size-8"
        />
      </span>
    </li>
  )
}
