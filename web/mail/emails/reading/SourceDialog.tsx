import { useQuery } from '@tanstack/react-query'
import { type Email, emails } from '#contract/mail/emails.ts'
import { download, fetchFile } from '#web/platform/api/download.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Spinner } from '#web/platform/ui/Spinner.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** A longer source is cut here; the downloaded file has all of it. */
const SHOWN_MAX = 300_000

type SourceDialogProps = { mail: Email; open: boolean; onClose: () => void }

/** The source of a mail with all its headers. */
export function SourceDialog({ mail, open, onClose }: SourceDialogProps) {
  const params = { id: mail.id }
  const query = useQuery({
    queryKey: ['emails.source', mail.id],
    queryFn: async ({ signal }) => (await fetchFile(emails.source, { params, signal })).text(),
    enabled: open,
    staleTime: Infinity,
    retry: false,
  })
  const save = () =>
    download(emails.source, { params }, `${mail.id}.eml`).catch((failure: unknown) =>
      toast.error(sentenceOf(failure, 'Failed to download the email')),
    )
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Source of this email"
      size="xl"
      footer={
        <>
          <Button onClick={() => void save()}>Download</Button>
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <Loaded
        query={query}
        failed={(error) => sentenceOf(error, 'The source could not be loaded')}
        waiting={
          <div className="grid h-40 place-items-center">
            <Spinner />
          </div>
        }
      >
        {(source) => (
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
            tabIndex={0}
            aria-label="Source"
            className="max-h-[60vh] overflow-auto rounded-md bg-sunken p-3 text-sm whitespace-pre-wrap wrap-anywhere"
          >
            {source.slice(0, SHOWN_MAX)}
            {source.length > SHOWN_MAX ? '\n…' : ''}
          </pre>
        )}
      </Loaded>
    </Dialog>
  )
}
