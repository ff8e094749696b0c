import type { EmailSettings } from '#contract/mail/mailboxes.ts'
import { asSentence, nextTry } from '#web/mail/email-text/next-try.ts'
import { TryAgain } from '#web/mail/email-text/TryAgain.tsx'
import { timeAgo } from '../../accounts/profile/time-ago.ts'

/** Somebody who has just connected an account waits for its first sign of life. */
export const FIRST_LOOK_MS = 2000
/** Folders are read in the background; the page looks again even where no event comes through. */
export const LOOK_AGAIN_MS = 30_000

type Folder = EmailSettings['folders'][number]

type FolderListProps = {
  account: Pick<EmailSettings, 'folders' | 'troubles' | 'last_error'>
  now: Date
}

/** When each folder was last read, how much is still to come, and what went wrong, in the server's own words. */
export function FolderList({ account, now }: FolderListProps) {
  const { folders, troubles, last_error: error } = account
  return (
    <section aria-label="Folders" className="border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">Folders</h3>
        {error === null ? null : <TryAgain />}
      </div>
      {troubles.map(({ sentence, next_try_at: next }) => (
        <p key={sentence} className="mt-2 text-sm wrap-anywhere">
          <span className="text-danger">{asSentence(sentence)}</span>{' '}
          <span className="text-ink-2">{nextTry(new Date(next), now)}</span>
        </p>
      ))}
      {folders.length === 0 ? (
        <p className="text-ink-2">
          Not read yet.{error === null ? ' Howl starts reading a new account within a minute.' : ''}
        </p>
      ) : (
        <ul className="mt-1 divide-y divide-line">
          {folders.map((folder) => (
            <FolderRow key={folder.path} folder={folder} now={now} />
          ))}
        </ul>
      )}
    </section>
  )
}

function FolderRow({ folder, now }: { folder: Folder; now: Date }) {
  const { path, behind, last_read_at, quarantined, quarantine_reason: reason } = folder
  const error = folder.last_error ?? (quarantined > 0 ? reason : null)
  return (
    <li className="grid gap-x-4 py-2 sm:grid-cols-[12rem_1fr_auto]">
      <span className="truncate font-medium">{path}</span>
      <span className="text-ink-2">{remarksOf(folder).join(' · ')}</span>
      <span className="text-ink-2 tabular-nums sm:text-right">
        {last_read_at === null ? (
          'Not read yet'
        ) : (
          <>
            {behind > 0 ? 'Partly read' : 'Read'}{' '}
            <time dateTime={last_read_at}>{timeAgo(new Date(last_read_at), now)}</time>
          </>
        )}
      </span>
      {error === null ? null : (
        <span className="text-sm wrap-anywhere text-danger sm:col-span-3">{error}</span>
      )}
    </li>
  )
}

function remarksOf({ behind, quarantined, last_read_at, last_error }: Folder): string[] {
  const upToDate = behind === 0 && quarantined === 0 && last_read_at !== null && last_error === null
  return [
    ...(upToDate ? ['Up to date'] : []),
    ...(behind > 0 ? [`${behind.toLocaleString('en')} still to come`] : []),
    ...(quarantined > 0 ? [`${quarantined.toLocaleString('en')} could not be read yet`] : []),
  ]
}
