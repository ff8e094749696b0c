import { useNavigate } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { usePracticeMailbox } from './use-practice-mailbox.ts'

const NEEDED = [
  ['SMTP host', 'the server that sends your mail'],
  ['Port', 'usually 587 or 465'],
  ['Email address', 'the one your contacts will see'],
  ['Password', 'or an app password, where your provider wants one'],
] as const

/** Port 587 with STARTTLS works with all of them. */
const EXAMPLES = [
  ['Gmail', 'smtp.gmail.com:587'],
  ['Outlook', 'smtp-mail.outlook.com:587'],
  ['Yahoo Mail', 'smtp.mail.yahoo.com:587'],
] as const

/** Says what is missing before the first mail can be sent, with a link to the settings. */
export function EmailConfigurationDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const practice = usePracticeMailbox(onClose)
  const configure = () => {
    onClose()
    void navigate(paths.profile)
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Email Configuration Required"
      description="Howl sends from your own email account. It needs your SMTP settings for that:"
      footer={
        <>
          <Button onClick={onClose}>Maybe Later</Button>
          <Button variant="primary" onClick={configure}>
            Configure Now
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <Pairs rows={NEEDED} />
        <div>
          <h3 className="mb-1.5 text-sm font-medium text-ink-2">For example</h3>
          <Pairs rows={EXAMPLES} />
        </div>
        <p className="text-ink-2">
          Just want to look around first? In the practice mailbox nothing leaves Howl, and invented people
          answer.{' '}
          <button type="button" onClick={practice.begin} aria-disabled={practice.busy} className="text-link">
            Use the practice mailbox
          </button>
        </p>
      </div>
    </Dialog>
  )
}

function Pairs({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className="divide-y divide-line rounded-md border border-line">
      {rows.map(([name, text]) => (
        <div key={name} className="grid grid-cols-[8rem_1fr] gap-3 px-3 py-2">
          <dt className="font-medium">{name}</dt>
          <dd className="min-w-0 wrap-anywhere text-ink-2">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
