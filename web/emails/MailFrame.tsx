import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'

/**
 * A mail's HTML in a frame of its own: no scripts, no way to our page, nothing from elsewhere until the reader asks.
 * `url` is signed anew with every answer; the frame keeps its first one, or it would load again and again.
 */
export function MailFrame({ url, remoteParts }: { url: string; remoteParts: number }) {
  const [shown, setShown] = useState({ src: url, pictures: false })
  return (
    <div className="flex min-h-80 flex-1 flex-col">
      {remoteParts > 0 && !shown.pictures ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-sunken px-4 py-1.5 text-sm text-ink-2 lg:px-6">
          <ImageOff aria-hidden className="size-4 shrink-0" />
          <p>Pictures from elsewhere are left out: loading them tells the sender that you read this.</p>
          <Button size="s" onClick={() => setShown({ src: `${url}&remote=1`, pictures: true })}>
            Show pictures
          </Button>
        </div>
      ) : null}
      <iframe
        key={shown.src}
        title="Mail content"
        src={shown.src}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        className="min-h-0 w-full flex-1"
      />
    </div>
  )
}
