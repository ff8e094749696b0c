import { Maximize2, MessagesSquare, SquarePen } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { About } from './About.tsx'
import { Conversation } from './Conversation.tsx'
import { useSessionActs } from './session-acts.tsx'
import { SessionList } from './SessionList.tsx'
import { useChat } from './use-chat.ts'
import { usePageQuestions } from './use-page-questions.ts'
import { WidgetFrame } from './WidgetFrame.tsx'

/** Wolfy beside the page that one is on: the same conversations as on his own page. */
export function Widget({ onClose }: { onClose: () => void }) {
  const chat = useChat()
  const [isListed, setListed] = useState(false)
  const { acts, dialogs } = useSessionActs(chat, () => setListed(false))
  const first = usePageQuestions(chat)
  return (
    <WidgetFrame
      title={isListed ? 'Select Chat Session' : (chat.session?.title ?? 'Wolfy')}
      about={isListed || chat.subject === null ? null : <About subject={chat.subject} />}
      onClose={onClose}
      actions={
        <>
          <IconButton
            label="Chats"
            icon={<MessagesSquare />}
            pressed={isListed}
            onClick={() => setListed(!isListed)}
          />
          <IconButton
            label="New conversation"
            icon={<SquarePen />}
            onClick={() => {
              chat.open('new')
              setListed(false)
            }}
          />
          <Link
            to={paths.assistant}
            aria-label="Open the full page"
            data-tip="Open the full page"
            onClick={onClose}
            className="grid size-8.5 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink pointer-coarse:size-11"
          >
            <Maximize2 aria-hidden className="size-4" />
          </Link>
        </>
      }
    >
      {isListed ? (
        <SessionList
          chat={chat}
          acts={acts}
          onChosen={() => setListed(false)}
          className="flex-1 bg-surface pt-3"
        />
      ) : (
        <Conversation chat={chat} first={first} isWidget />
      )}
      {dialogs}
    </WidgetFrame>
  )
}
