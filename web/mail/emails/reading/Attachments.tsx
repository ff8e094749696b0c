import { Download, FileText, Image, Paperclip } from 'lucide-react'
import { Suspense, useState } from 'react'
import { type EmailDetail, emails } from '#contract/mail/emails.ts'
import { download } from '#web/platform/api/download.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { byteSize } from '#web/mail/email-text/byte-size.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const AttachmentPreview = lazyPart(() => import('./AttachmentPreview.tsx'), 'AttachmentPreview')

type File = EmailDetail['attachments'][number]

/** The files of a mail: a click shows those that can be shown; all can be saved. */
export function Attachments({ mail }: { mail: EmailDetail }) {
  if (mail.attachments.length === 0) return null
  return (
    <section aria-label="Attachments" className="border-t border-line px-4 py-4 lg:px-6">
      <h3 className="mb-2 text-sm font-medium text-ink-2">
        {mail.attachments.length === 1 ? '1 attachment' : `${mail.attachments.length} attachments`}
      </h3>
      <ul className="flex flex-wrap gap-2">
        {mail.attachments.map((file) => (
          <li key={file.id} className="max-w-full">
            <FileChip emailId={mail.id} file={file} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function FileChip({ emailId, file }: { emailId: number; file: File }) {
  const [busy, setBusy] = useState(false)
  const [preview, setPreview] = useState<boolean | null>(null)
  const name = file.name || 'Attachment'
  const save = async () => {
    setBusy(true)
    try {
      await download(emails.attachment, { params: { id: emailId, n: file.id } }, name)
    } catch (error) {
      toast.error(sentenceOf(error, 'Failed to download the attachment'))
    } finally {
      setBusy(false)
    }
  }
  const look = isShowable(file) ? () => setPreview(true) : () => void save()
  return (
    <div className="flex max-w-full items-center rounded-md border border-line transition-colors hover:border-control">
      <button
        type="button"
        onClick={look}
        className="flex min-h-10 min-w-0 items-center gap-2.5 pl-3 text-left pointer-coarse:min-h-11"
      >
        <FileIcon type={file.type} />
        <span className="min-w-0 truncate">{name}</span>
        <span className="shrink-0 text-sm text-ink-2 tabular-nums">{byteSize(file.size)}</span>
      </button>
      <IconButton
        label={`Download ${name}`}
        icon={<Download aria-hidden />}
        busy={busy}
        onClick={() => void save()}
        className="mx-1"
      />
      <Suspense fallback={null}>
        {preview === null ? null : (
          <AttachmentPreview
            emailId={emailId}
            file={file}
            open={preview}
            onClose={() => setPreview(false)}
            onDownload={() => void save()}
          />
        )}
      </Suspense>
    </div>
  )
}

/** True if the server may be able to show the file; it inspects the content itself. */
function isShowable({ type, name }: File): boolean {
  return (
    /^(?:image\/(?!svg)|text\/(?!html)|application\/(?:pdf|json|xml|ics)$|message\/)/.test(type) ||
    /\.(?:pdf|png|jpe?g|gif|webp|txt|csv|ics)$/i.test(name)
  )
}

function FileIcon({ type }: { type: string }) {
  const look = 'size-4 shrink-0 text-ink-2'
  if (type.startsWith('image/')) return <Image aria-hidden className={look} />
  if (type.startsWith('text/') || type === 'application/pdf') return <FileText aria-hidden className={look} />
  return <Paperclip aria-hidden className={look} />
}
