import { ArrowLeft } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'

/** The frame of the three legal pages: one readable column. The date is today's, as the product promises. */
export function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  const [today] = useState(() => new Date())
  return (
    <article className="mx-auto max-w-2xl">
      <Link
        to={paths.home}
        className="mb-6 inline-flex items-center gap-1.5 text-ink-2 hover:text-ink pointer-coarse:min-h-11"
      >
        <ArrowLeft aria-hidden className="size-4" />
        Back to Home
      </Link>
      <PageHeader
        title={title}
        note={
          <>
            Last updated{' '}
            <time dateTime={today.toISOString().slice(0, 10)}>
              {today.toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric' })}
            </time>
          </>
        }
      />
      <div className="text-md">{children}</div>
    </article>
  )
}

/** One clause: heading and text. */
export function Clause({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line py-6">
      <h2 className="mb-2 font-semibold">{title}</h2>
      <div className="flex flex-col gap-3 text-ink-2">{children}</div>
    </section>
  )
}

/** A plain list inside a clause. */
export function Points({ children }: { children: ReactNode }) {
  return <ul className="list-disc space-y-1 pl-5 marker:text-control">{children}</ul>
}
