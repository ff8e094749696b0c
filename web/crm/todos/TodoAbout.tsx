import { Mail, UserRound, X } from 'lucide-react'
import { Link } from 'react-router'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { ABOUT_LABELS, type About } from './todo-links.ts'

const ICONS = { contact: UserRound, email: Mail }

/** A link from a task to its contact or mail. */
export function AboutLink({ about }: { about: About }) {
  const Icon = ICONS[about.kind]
  return (
    <Link to={about.to} className="inline-flex max-w-full min-w-0 items-center gap-1 text-link">
      <Icon aria-hidden className="size-3 shrink-0" />
      <span className="sr-only">{ABOUT_LABELS[about.kind]}: </span>
      <span className="truncate">{about.title}</span>
    </Link>
  )
}

/** In the form: the contact or mail of the task, with a button that unlinks it. */
export function AboutLine({ about, onUnlink }: { about: About; onUnlink: () => void }) {
  const Icon = ICONS[about.kind]
  return (
    <p className="flex items-center gap-2 rounded-md bg-sunken py-1 pr-1 pl-3">
      <Icon aria-hidden className="size-4 shrink-0 text-ink-2" />
      <span className="min-w-0 flex-1 truncate">
        <span className="text-ink-2">{ABOUT_LABELS[about.kind]}: </span>
        {about.title}
      </span>
      <IconButton
        size="s"
        label={`Unlink ${ABOUT_LABELS[about.kind].toLowerCase()}`}
        icon={<X aria-hidden />}
        onClick={onUnlink}
      />
    </p>
  )
}
