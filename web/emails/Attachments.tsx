import { Download } from 'lucide-react'
import { useState } from 'react'
import { type EmailDetail, emails } from '#contract/emails.ts'
import { download } from '#web/api/download.ts'
import { sentenceOf } from '#web/api/errors.ts'
import { byteSize } from '#web/email-text/byte-size.ts'
import { Spinner } from '#web/ui/Spinner.tsx'
import { toast } from '#web/ui/toast.ts'

type File = EmailDetail['files'][number]

/** The files of a mail; a click saves one. */
export function Attachments({ mail }: { mail: EmailDetail }) {
  if (mail.files.length === 0) return null
  return (
    <section aria-label="Attachments" className="border-t border-line px-4 py-4 lg:px-6">
      <h3 className="mb-2 text-sm font-medium text-ink-2">
        {mail.files.length === 1 ? '1 attachment' : `${mail.files.length} attachments`}
      </h3>
      <ul className="flex flex-wrap gap-2">
        {mail.files.map((file) => (
          <li key={file.id} className="max-w-full">
            <FileButton emailId={mail.id} file={file} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function FileButton({ emailId, file }: { emailId: number; file: File }) {
  const [busy, setBusy] = useState(false)
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
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      onClick={busy ? undefined : () => void save()}
      className="flex min-h-10 max-w-full items-center gap-2.5 rounded-md border border-line px-3 text-left transition-colors hover:border-control pointer-coarse:min-h-11"
    >
      {busy ? <Spinner /> : <Download aria-hidden className="size-4 shrink-0 text-ink-2" />}
      <span className="min-w-0 truncate">{name}</span>
      <span className="shrink-0 text-sm text-ink-2 tabular-nums">{byteSize(file.size)}</span>
    </button>
  )
}
