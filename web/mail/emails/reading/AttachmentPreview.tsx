import { useQuery } from '@tanstack/react-query'
import { type EmailDetail, emails } from '#contract/mail/emails.ts'
import { fetchFile } from '#web/platform/api/download.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Spinner } from '#web/platform/ui/Spinner.tsx'

const KEEP_ADDRESS_MS = 60_000

type File = EmailDetail['attachments'][number]
type Shown = { kind: 'image' | 'pdf'; blob: Blob } | { kind: 'text'; text: string }

type AttachmentPreviewProps = {
  emailId: number
  file: File
  open: boolean
  onClose: () => void
  onDownload: () => void
}

/** Shows a file of a mail without saving it: an image, a text, or a PDF in its own tab. */
export function AttachmentPreview({ emailId, file, open, onClose, onDownload }: AttachmentPreviewProps) {
  const query = useQuery({
    queryKey: ['emails.attachment', emailId, file.id],
    queryFn: async ({ signal }) =>
      shownOf(
        await fetchFile(emails.attachment, {
          params: { id: emailId, n: file.id },
          query: { preview: 'true' },
          signal,
        }),
      ),
    enabled: open,
    staleTime: Infinity,
    retry: false,
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={file.name || 'Attachment'}
      size="xl"
      footer={
        <>
          <Button onClick={onDownload}>Download</Button>
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <Loaded
        query={query}
        failed={(error) => sentenceOf(error, 'This file could not be loaded')}
        waiting={
          <div className="grid h-40 place-items-center">
            <Spinner />
          </div>
        }
      >
        {(shown) => <Content shown={shown} name={file.name} />}
      </Loaded>
    </Dialog>
  )
}

async function shownOf(blob: Blob): Promise<Shown> {
  if (blob.type.startsWith('text/')) return { kind: 'text', text: await blob.text() }
  return { kind: blob.type === 'application/pdf' ? 'pdf' : 'image', blob }
}

/** Shows an image from memory for as long as it is mounted. */
function pictureOf(blob: Blob) {
  return (image: HTMLImageElement | null) => {
    const address = URL.createObjectURL(blob)
    image?.setAttribute('src', address)
    return () => URL.revokeObjectURL(address)
  }
}

/** Opens a PDF in a new tab, in the browser's own viewer. The object URL is kept long enough to load it. */
function openPdf(blob: Blob): void {
  const address = URL.createObjectURL(blob)
  window.open(address, '_blank', 'noopener')
  setTimeout(() => URL.revokeObjectURL(address), KEEP_ADDRESS_MS)
}

function Content({ shown, name }: { shown: Shown; name: string }) {
  if (shown.kind === 'text')
    return (
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Text"
        className="max-h-[60vh] overflow-auto rounded-md bg-sunken p-3 text-sm whitespace-pre-wrap wrap-anywhere"
      >
        {shown.text}
      </pre>
    )
  const { blob } = shown
  if (shown.kind === 'image')
    return (
      <img
        ref={pictureOf(blob)}
        alt={name}
        className="mx-auto max-h-[65vh] max-w-full rounded-md object-contain"
      />
    )
  return (
    <div className="grid place-items-center gap-3 py-8 text-center text-ink-2">
      <p>The PDF opens in a new tab.</p>
      <Button variant="primary" onClick={() => openPdf(blob)}>
        Open the PDF
      </Button>
    </div>
  )
}
