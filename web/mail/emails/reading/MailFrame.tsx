import { ImageOff } from 'lucide-react'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { type EmailDetail, emails } from '#contract/mail/emails.ts'
import { shownAddress } from '#contract/formats/shown-sender.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { sanitizeFrame } from './sanitize-frame.ts'

/** A mail taller than this scrolls inside its frame. */
const HEIGHT_MAX = 20_000

/**
 * A mail's HTML in its own frame: no scripts, its own content security policy, and no remote content until the user
 * asks for it. It is shown after a second cleaning in the browser. Each answer signs its address anew; the frame keeps
 * the first one, because a new address would reload it.
 */
export function MailFrame({ mail, url }: { mail: EmailDetail; url: string }) {
  const [address] = useState(url)
  const [pictures, setPictures] = useState(mail.remote_allowed)
  return (
    <div className="flex flex-col">
      {mail.remote_parts > 0 && !pictures ? (
        <PicturesLeftOut mail={mail} onShow={() => setPictures(true)} />
      ) : null}
      <Frame key={String(pictures)} src={pictures ? `${address}&remote=1` : address} />
    </div>
  )
}

function PicturesLeftOut({ mail, onShow }: { mail: EmailDetail; onShow: () => void }) {
  const trust = useCommand(emails.trustSender, { refreshes: [emails.get] })
  const always = () => {
    trust.mutate({ params: { id: mail.id }, body: { trusted: true } })
    onShow()
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-sunken px-4 py-1.5 text-sm text-ink-2 lg:px-6">
      <ImageOff aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 basis-60">
        Remote pictures are hidden, because loading them tells the sender that you read this.
      </p>
      <Button size="s" onClick={onShow}>
        Show pictures
      </Button>
      {mail.from === '' || mail.status === 'spam' ? null : (
        <Button size="s" variant="plain" onClick={always}>
          Always for {shownAddress(mail.from)}
        </Button>
      )}
    </div>
  )
}

function Frame({ src }: { src: string }) {
  const [height, setHeight] = useState<number | null>(null)
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])
  const show = (event: SyntheticEvent<HTMLIFrameElement>) => {
    const inside = event.currentTarget.contentDocument
    if (inside?.body == null) return
    sanitizeFrame(inside)
    stop.current()
    stop.current = follow(inside, (pixels) => setHeight(Math.min(pixels, HEIGHT_MAX)))
  }
  return (
    <div className="relative">
      {height === null ? <LoadingFrame /> : null}
      <iframe
        title="Mail content"
        src={src}
        // allow-same-origin lets this page clean and measure the document; without allow-scripts nothing in it runs.
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        onLoad={show}
        style={{ height: height ?? 320 }}
        className={cx('block w-full', height === null && 'invisible')}
      />
    </div>
  )
}

/**
 * Reports the height of a document whenever it changes, and passes key presses to the page. Returns a function that
 * ends this.
 */
function follow(inside: Document, onHeight: (pixels: number) => void): () => void {
  const measure = () => onHeight(Math.ceil(inside.documentElement.getBoundingClientRect().height))
  const observer = new ResizeObserver(measure)
  observer.observe(inside.documentElement)
  measure()
  const handOn = (event: KeyboardEvent) => {
    const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event
    const again = { key, code, ctrlKey, metaKey, shiftKey, altKey, bubbles: true, cancelable: true }
    if (!document.body.dispatchEvent(new KeyboardEvent('keydown', again))) event.preventDefault()
  }
  inside.addEventListener('keydown', handOn)
  return () => {
    observer.disconnect()
    inside.removeEventListener('keydown', handOn)
  }
}

function LoadingFrame() {
  return (
    <div aria-busy="true" className="absolute inset-x-0 top-0 flex flex-col gap-3 p-4 lg:p-6">
      {['w-2/3', 'w-11/12', 'w-1/2'].map((width) => (
        <Skeleton key={width} className={`h-3.5 ${width}`} />
      ))}
    </div>
  )
}
