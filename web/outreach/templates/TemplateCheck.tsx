import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Info, PenLine, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { advise } from '#contract/outreach/template-text/advise.ts'
import { fieldOf } from '#contract/outreach/template-text/fields.ts'
import { parseTemplate } from '#contract/outreach/template-text/parse-template.ts'
import { placesToFill } from '#contract/outreach/template-text/places-to-fill.ts'
import { templates } from '#contract/outreach/templates.ts'
import { call } from '#web/platform/api/call.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { useSettled } from '#web/platform/ui/use-settled.ts'
import { gapText } from './gap-text.ts'

type TemplateCheckProps = {
  subject: string
  body: string
  /** Puts the cursor where a mistake is. */
  onShow: (about: 'subject' | 'body', line: number, column: number) => void
}

/** What is wrong with a template, what is still to be written, whom it has gaps for, and what could be better. */
export function TemplateCheck({ subject, body, onShow }: TemplateCheckProps) {
  const problems = [
    ...parseTemplate(subject).problems.map((each) => ({ about: 'subject' as const, ...each })),
    ...parseTemplate(body).problems.map((each) => ({ about: 'body' as const, ...each })),
  ]
  const places = placesToFill(`${subject}\n${body}`)
  const gaps = useGaps(subject, body)
  const isBegun = subject.trim() !== '' || body.trim() !== ''
  const remarks = isBegun ? advise(subject, body) : []
  const isGood = isBegun && problems.length + places.length + remarks.length + (gaps?.gaps.length ?? 1) === 0
  return (
    <Card title="Check">
      <ul aria-label="Check" className="flex flex-col gap-2.5">
        {problems.map(({ about, line, column, message }) => (
          <Finding key={`${about} ${line} ${column} ${message}`} icon={<CircleAlert />} tone="text-danger">
            {message}{' '}
            <button type="button" className="text-link" onClick={() => onShow(about, line, column)}>
              {about === 'subject' ? 'In the subject' : `Line ${line}, column ${column}`}
            </button>
          </Finding>
        ))}
        {places.length === 0 ? null : (
          <Finding icon={<PenLine />} tone="text-amber">
            {places.length === 1
              ? 'One example in [ ] waits for your own words: '
              : `${places.length} examples in [ ] wait for your own words. The first: `}
            <q>{places[0]}</q>. Nothing is sent before that.
          </Finding>
        )}
        {gaps?.gaps.map((gap) => (
          <Finding key={gap.field} icon={<Users />} tone="text-amber">
            {gapText(gap)}
            {fieldOf(gap.field)?.of === 'writer' ? null : ' Give it a default, or a condition.'}
          </Finding>
        ))}
        {remarks.map(({ about, message }) => (
          <Finding key={`${about} ${message}`} icon={<Info />} tone="text-ink-2">
            {about === 'subject' ? 'Subject: ' : ''}
            {message}
          </Finding>
        ))}
        {isGood ? (
          <Finding icon={<CircleCheck />} tone="text-green">
            Nothing against it.
          </Finding>
        ) : null}
        {isBegun ? null : <li className="text-ink-2">What could be better is said here as you write.</li>}
      </ul>
      {gaps !== undefined && gaps.contacts > gaps.contacts_checked && gaps.contacts_checked > 0 ? (
        <p className="pt-3 text-sm text-ink-2">
          Gaps were looked for in {gaps.contacts_checked.toLocaleString('en')} of{' '}
          {gaps.contacts.toLocaleString('en')} contacts.
        </p>
      ) : null}
    </Card>
  )
}

/** Whom the text would have gaps for; the server knows the contacts. */
function useGaps(subject: string, body: string) {
  const asked = { subject: useSettled(subject), body: useSettled(body) }
  const { data } = useQuery({
    queryKey: ['templates.check', asked.subject, asked.body],
    queryFn: ({ signal }) => call(templates.check, { body: asked, signal }),
    enabled: asked.subject !== '' || asked.body !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  return data
}

function Finding({ icon, tone, children }: { icon: ReactNode; tone: string; children: ReactNode }) {
  return (
    <li className="flex gap-2.5">
      <span aria-hidden className={cx('shrink-0 pt-0.75 [&_svg]:size-4', tone)}>
        {icon}
      </span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  )
}
