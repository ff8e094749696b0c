import { type DragEvent, type ReactNode, useState } from 'react'
import { cx } from './cx.ts'

type DropFilesProps = {
  onFiles: (files: File[]) => void
  /** How the children stand: "flex-col gap-4". */
  className?: string
  children: ReactNode
}

/** Accepts files dropped on its children. */
export function DropFiles({ onFiles, className, children }: DropFilesProps) {
  const [isOver, setOver] = useState(false)
  const carries = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is a shortcut for the button inside
    <div
      onDragOver={(event) => {
        if (!carries(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!carries(event)) return
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
      className={cx(
        'flex rounded-md',
        isOver && 'outline-2 outline-offset-4 outline-accent outline-dashed',
        className,
      )}
    >
      {children}
    </div>
  )
}
