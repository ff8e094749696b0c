import { TriangleAlert } from 'lucide-react'
import { Link, useLocation, useNavigate } from 'react-router'
import { RESTORE_DAYS } from '#contract/operations/leaving.ts'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { FeedbackDialog } from './FeedbackDialog.tsx'
import { useLeaving } from './use-leaving.ts'

/** The key of the first page of a visit: there is none before it. */
const FIRST_PAGE = 'default'

/** Says what deleting the account removes, and begins it. */
export function DeleteAccountPage() {
  const leaving = useLeaving()
  const navigate = useNavigate()
  const { key } = useLocation()
  const goBack = () => void (key === FIRST_PAGE ? navigate(paths.profile) : navigate(-1))
  return (
    <div className="mx-auto w-full max-w-160">
      <PageHeader title="Delete Account" />
      <Card>
        <div className="flex gap-3">
          <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
          <div className="flex max-w-prose flex-col gap-3">
            <h2 className="text-md font-semibold">Your data will be permanently removed</h2>
            <p>
              Deleting your account signs you out everywhere. Howl stops sending and reading your mail at
              once, and scheduled emails do not leave.
            </p>
            <div>
              <p>After {RESTORE_DAYS} days, all of this is gone for good:</p>
              <ul className="mt-1.5 list-disc pl-5 text-ink-2">
                <li>contacts, tags and imported files</li>
                <li>emails, drafts and attachments in Howl</li>
                <li>meetings, tasks and reminders</li>
                <li>your profile and mail settings</li>
              </ul>
            </div>
            <p className="text-ink-2">
              Until then, whoever runs this Howl can restore the account. The mailbox at your mail provider
              stays as it is. You can{' '}
              <Link to={paths.contacts} className="text-link">
                export your contacts
              </Link>{' '}
              first.
            </p>
          </div>
        </div>
        <div className="mt-5 flex flex-wrap justify-end gap-2 border-t border-line pt-4">
          <Button onClick={goBack}>Go Back</Button>
          <Button variant="danger" onClick={leaving.show}>
            Delete Account
          </Button>
        </div>
      </Card>
      <FeedbackDialog leaving={leaving} />
    </div>
  )
}
