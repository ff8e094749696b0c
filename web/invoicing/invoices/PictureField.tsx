import { ImageUp } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Button } from '#web/platform/ui/Button.tsx'
import { DropFiles } from '#web/platform/ui/DropFiles.tsx'
import { NO_PICTURE, pictureFrom } from './picture.ts'

type PictureFieldProps = {
  label: string
  value: string
  box: { width: number; height: number }
  onChange: (url: string) => void
}

/** A picture of the invoice: chosen or dropped, shown on paper white, and removed. */
export function PictureField({ label, value, box, onChange }: PictureFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const name = label.toLowerCase()
  const [fault, setFault] = useState<string | null>(null)
  const take = (files: ArrayLike<File> | null) => {
    const file = files?.[0]
    if (file === undefined) return
    setFault(null)
    pictureFrom(file, box).then(onChange, (error: unknown) =>
      setFault(error instanceof Error ? error.message : NO_PICTURE),
    )
  }
  return (
    <DropFiles onFiles={take} className="min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex min-h-14 flex-wrap items-center gap-2 rounded-md border border-dashed border-control/60 px-2.5 py-2">
        {/* The button opens it; it stays reachable by its label for those who attach files by name. */}
        <input
          id={id}
          ref={input}
          type="file"
          accept="image/*"
          tabIndex={-1}
          className="sr-only"
          aria-describedby={fault === null ? undefined : `${id}-fault`}
          onChange={(event) => {
            take(event.target.files)
            event.target.value = ''
          }}
        />
        {value === '' ? null : (
          <img src={value} alt={label} className="max-h-10 max-w-36 rounded-sm object-contain" />
        )}
        <Button
          ref={choose}
          size="s"
          variant={value === '' ? 'quiet' : 'plain'}
          icon={value === '' ? <ImageUp aria-hidden className="size-4" /> : undefined}
          onClick={() => input.current?.click()}
        >
          {value === '' ? `Choose ${name}` : `Change ${name}`}
        </Button>
        {value === '' ? null : (
          <Button
            size="s"
            variant="plain"
            onClick={() => {
              onChange('')
              choose.current?.focus()
            }}
          >
            Remove {name}
          </Button>
        )}
      </div>
      {fault === null ? null : (
        <p id={`${id}-fault`} role="alert" className="text-sm text-danger">
          {fault}
        </p>
      )}
    </DropFiles>
  )
}
