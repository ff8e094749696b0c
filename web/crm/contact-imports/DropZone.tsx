import { useEffect, useEffectEvent, useState } from 'react'

/** Lets the user drop a file anywhere on the page, and shows a hint while a file is dragged over it. */
export function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false)
  const onDrop = useEffectEvent(onFile)
  useEffect(() => listen(setOver, (file) => onDrop(file)), [])
  if (!isOver) return null
  return (
    <div className="pointer-events-none fixed inset-2 z-40 grid place-items-center rounded-xl border-2 border-dashed border-accent bg-accent-soft/90">
      <p className="text-lg font-medium">Drop a CSV or vCard file to import it</p>
    </div>
  )
}

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

// Listens on the whole window: elsewhere the browser would leave the page and open the file itself.
function listen(setOver: (isOver: boolean) => void, onFile: (file: File) => void): () => void {
  const stop = new AbortController()
  // Moving between elements enters the next one before leaving the last.
  let depth = 0
  const rest = () => {
    depth = 0
    setOver(false)
  }
  const on = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', run: (event: DragEvent) => void) =>
    window.addEventListener(
      name,
      (event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        run(event)
      },
      { signal: stop.signal },
    )
  on('dragover', () => undefined)
  on('dragenter', () => setOver(++depth > 0))
  on('dragleave', () => (--depth <= 0 ? rest() : undefined))
  on('drop', (event) => {
    rest()
    const file = event.dataTransfer?.files[0]
    if (file !== undefined) onFile(file)
  })
  return () => stop.abort()
}
