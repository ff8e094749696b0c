import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { linkParts } from '#web/mail/email-text/links.ts'
import { quotedPart } from '#web/mail/email-text/quoted.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'

/** A plain-text mail: the new text first, the quoted part behind a button. */
export function MailText({ text, newWords }: { text: string; newWords: string }) {
  const [open, setOpen] = useState(false)
  const quoted = quotedPart(text, newWords)
  const own = quoted === '' ? text.trim() : newWords
  return (
    <div className="px-4 py-5 text-md lg:px-6">
      {own === '' ? <p className="text-ink-2">This email has no text.</p> : <LinkedText text={own} />}
      {quoted === '' ? null : (
        <div className="mt-4">
          <Button
            size="s"
            variant="plain"
            aria-expanded={open}
            icon={
              <ChevronRight
                aria-hidden
                className={cx('size-3.5 transition-transform', open && 'rotate-90')}
              />
            }
            onClick={() => setOpen(!open)}
            className="-ml-2.5"
          >
            {open ? 'Hide quoted text' : 'Show quoted text'}
          </Button>
          {open ? (
            <div className="mt-2 border-l-2 border-line pl-4 text-base text-ink-2">
              <LinkedText text={quoted} />
            </div>
          ) : null}
        </div>
      )}
    </div>
  )
}

function LinkedText({ text }: { text: string }) {
  return (
    <p className="max-w-[72ch] text-wrap wrap-anywhere whitespace-pre-wrap">
      {linkParts(text).map((part, index) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          <a
            // oxlint-disable-next-line react/no-array-index-key -- the parts of a text keep their order
            key={index}
            href={part.href}
            title={part.host}
            target="_blank"
            rel="noopener noreferrer"
            className="text-link"
          >
            {part.text}
          </a>
        ),
      )}
    </p>
  )
}
