import { useDeferredValue, useEffect, useState } from 'react'
import type { InvoiceContent } from '#contract/invoicing/invoice-document/invoice-document.ts'
import {
  type Mark,
  type Page,
  PAGE_HEIGHT,
  PAGE_WIDTH,
  PAPER_COLOR,
} from '#contract/invoicing/invoice-document/paper.ts'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { familyOf } from './font-files.ts'

/** The invoice as it will be printed: the same pages that the PDF is made of. */
export function InvoicePreview({ content }: { content: InvoiceContent }) {
  const [tries, setTries] = useState(0)
  return (
    <section aria-label="Preview" className="flex flex-col items-center gap-6">
      <Pages key={tries} content={useDeferredValue(content)} onRetry={() => setTries(tries + 1)} />
    </section>
  )
}

function Pages({ content, onRetry }: { content: InvoiceContent; onRetry: () => void }) {
  const pages = usePages(content)
  if (pages === 'failed') return <ErrorState message="The preview could not be loaded." onRetry={onRetry} />
  if (pages === null) return <Skeleton className="aspect-[1/1.414] w-full max-w-200 rounded-sm" />
  return pages.map((page, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- pages have no name but their number
    <PagePicture key={index} page={page} label={`Page ${index + 1} of ${pages.length}`} />
  ))
}

/** The pages; null until they are made. */
function usePages(content: InvoiceContent): Page[] | 'failed' | null {
  const [pages, setPages] = useState<Page[] | 'failed' | null>(null)
  useEffect(() => {
    let isCurrent = true
    const show = (made: Page[] | 'failed') => {
      if (isCurrent) setPages(made)
    }
    // The library and the fonts are large, and only here and for the PDF are they needed.
    import('./make-pages.ts').then(({ pagesOf }) => pagesOf(content)).then(show, () => show('failed'))
    return () => {
      isCurrent = false
    }
  }, [content])
  return pages
}

/** One sheet, as large as there is room. */
function PagePicture({ page, label }: { page: Page; label: string }) {
  return (
    <svg
      viewBox={`0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset cannot be a drawing
      role="group"
      aria-label={label}
      className="w-full max-w-200 rounded-sm shadow-float"
    >
      <rect width={PAGE_WIDTH} height={PAGE_HEIGHT} fill={PAPER_COLOR} />
      {page.marks.map((mark, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a page is drawn as a whole
        <MarkPicture key={index} mark={mark} />
      ))}
    </svg>
  )
}

function MarkPicture({ mark }: { mark: Mark }) {
  if (mark.kind === 'box')
    return <rect x={mark.x} y={mark.y} width={mark.width} height={mark.height} fill={mark.color} />
  if (mark.kind === 'picture') {
    const { x, y, width, height, url, name } = mark
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is part of a drawing
    return <image x={x} y={y} width={width} height={height} href={url} role="img" aria-label={name} />
  }
  return (
    <text
      y={mark.baseline}
      fontSize={mark.size}
      fill={mark.color}
      xmlSpace="preserve"
      textRendering="geometricPrecision"
    >
      {mark.line.runs.map(({ face, text, x, width, isRtl }) => (
        <tspan
          key={x}
          // Text from right to left begins at its right end.
          x={mark.x + x + (isRtl ? width : 0)}
          // As wide as in the PDF: small screens round the widths of letters.
          textLength={width > 0 ? width : undefined}
          lengthAdjust="spacingAndGlyphs"
          fontFamily={familyOf(face)}
          fontWeight={400}
          direction={isRtl ? 'rtl' : 'ltr'}
          unicodeBidi="bidi-override"
        >
          {text}
        </tspan>
      ))}
    </text>
  )
}
