import { Suspense } from 'react'
import { MailRow } from './MailRow.tsx'
import { DayHeading, type MailRowsProps } from './DayHeading.tsx'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

/** Pages longer than this render only their visible rows; shorter ones are cheaper to render whole. */
const LONG_PAGE = 20

const LongMailRows = lazyPart(() => import('./VirtualMailRows.tsx'), 'VirtualMailRows')

/** The mails of a page, grouped by day. */
export function MailRows(props: MailRowsProps) {
  const whole = <AllMailRows {...props} />
  if (props.count <= LONG_PAGE) return whole
  return (
    <Suspense fallback={whole}>
      <LongMailRows {...props} />
    </Suspense>
  )
}

function AllMailRows({ groups, context, openId, selection, isNew }: MailRowsProps) {
  return groups.map(({ label, rows }) => (
    <section key={label} aria-label={label}>
      <DayHeading label={label} count={rows.length} />
      <ul aria-label={label}>
        {rows.map((mail) => (
          <MailRow
            key={mail.id}
            mail={mail}
            context={context}
            isNew={isNew(mail.id)}
            isOpen={mail.id === openId}
            isChosen={selection.has(mail.id)}
          />
        ))}
      </ul>
    </section>
  ))
}
