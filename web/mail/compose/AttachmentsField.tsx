import { Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { byteSize } from '#web/mail/email-text/byte-size.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'
import type { Upload, Uploads } from './use-uploads.ts'

/** The files of a draft, each with its upload progress. */
export function AttachmentsField({ uploads }: { uploads: Uploads }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        size="s"
        icon={<Paperclip aria-hidden className="size-3.5" />}
        onClick={() => input.current?.click()}
      >
        Attach files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        aria-label="Files"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          uploads.add([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <ul className="contents">
        {uploads.list.map((file) => (
          <li key={file.key} className={cx(CHIP, file.state.kind === 'failed' && 'border-danger')}>
            <span className="min-w-0 truncate">{file.name}</span>
            <State file={file} />
            <IconButton
              size="s"
              label={`Remove ${file.name}`}
              icon={<X aria-hidden />}
              onClick={() => uploads.remove(file.key)}
              className="-mr-1"
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

const CHIP = 'flex h-8 max-w-full items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-sm'

function State({ file: { name, size, state } }: { file: Upload }) {
  if (state.kind === 'failed') return <span className="shrink-0 text-danger">{state.why}</span>
  if (state.kind === 'there')
    return <span className="shrink-0 text-ink-2 tabular-nums">{byteSize(size)}</span>
  return (
    <span className="w-16 shrink-0">
      <ProgressBar label={`Uploading ${name}`} value={Math.round(state.part * 100)} max={100} />
    </span>
  )
}
