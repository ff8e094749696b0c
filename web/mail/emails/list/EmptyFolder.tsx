import { Link } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { FoundElsewhere } from './FoundElsewhere.tsx'
import { EMPTY_HINTS, folderName } from '../mail/folders.ts'
import { type MailLocation, startOf } from '../page/page-location.ts'

type EmptyFolderProps = {
  location: MailLocation
  configured: boolean | undefined
  /** True if a search covered all mails. */
  isSearched: boolean
  onCompose: () => void
}

/** Shown in place of an empty list: why it is empty, and the next step. */
export function EmptyFolder({ location, configured, isSearched, onCompose }: EmptyFolderProps) {
  const { folder, search, filter, go } = location
  const name = folderName(folder)
  if (search !== '') {
    return (
      <EmptyState
        title={isSearched ? 'No emails found' : 'No emails found yet'}
        className="h-full"
        action={<Button onClick={() => go({ search: '', page: 1 })}>Clear search</Button>}
      >
        <p>
          {isSearched
            ? `Nothing in ${name} matches “${search}”.`
            : `Nothing that is searchable so far in ${name} matches “${search}”.`}
        </p>
        <FoundElsewhere location={location} />
      </EmptyState>
    )
  }
  if (filter !== 'all') {
    return (
      <EmptyState
        title="No emails found"
        className="h-full"
        action={<Button onClick={() => go({ filter: 'all', page: 1 })}>Show all</Button>}
      >
        {FILTERED[filter]} in {name}.
      </EmptyState>
    )
  }
  const title = `${name} is empty`
  if (configured === false) {
    return (
      <EmptyState
        title={title}
        className="h-full"
        action={
          <Link to={paths.profile} className={buttonClass()}>
            Connect a mailbox
          </Link>
        }
      >
        Howl sends from your own account and reads the replies. For a first look, use the practice mailbox.
      </EmptyState>
    )
  }
  const isForWriting = ['inbox', 'sent', 'drafts', 'scheduled'].includes(folder)
  return (
    <EmptyState
      title={title}
      className="h-full"
      action={
        isForWriting ? (
          <Button onClick={onCompose}>Write an email</Button>
        ) : (
          <Button onClick={() => go(startOf('inbox'))}>Go to Inbox</Button>
        )
      }
    >
      {EMPTY_HINTS[folder]}
    </EmptyState>
  )
}

const FILTERED = {
  unread: 'You have read everything',
  starred: 'No starred emails',
  attachments: 'No emails with attachments',
  reports: 'No delivery reports',
}
