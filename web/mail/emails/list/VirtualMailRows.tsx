import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useEffect, useMemo } from 'react'
import { MailRow } from './MailRow.tsx'
import { DayHeading, type MailRowsProps } from './DayHeading.tsx'

const HEADING_PX = 30
const ROW_PX = 82

/** The lazy half of `MailRows`: a long page that renders only the rows near the viewport. */
export function VirtualMailRows(props: MailRowsProps) {
  const { groups, context, count, openId, selection, isNew, scroller, revealer } = props
  // Headings and rows in one list; a heading counts as an item.
  const places = useMemo(
    () => groups.flatMap(({ label, rows }) => [label, ...rows.map(({ id }) => id)]),
    [groups],
  )
  // New functions would make the virtualizer measure every item again.
  const sizes = useMemo(
    () => ({
      estimateSize: (index: number) => (typeof places[index] === 'string' ? HEADING_PX : ROW_PX),
      getItemKey: (index: number) => places[index] ?? index,
    }),
    [places],
  )
  // oxlint-disable-next-line react/incompatible-library -- none of its values is passed to memoized components
  const virtual = useVirtualizer({
    count: places.length,
    getScrollElement: () => scroller.current,
    ...sizes,
    overscan: 8,
    // Rows are rendered before they scroll into view, so the key press that scrolls need not wait for them.
    useFlushSync: false,
  })
  useEffect(() => {
    revealer.current = (id) => {
      const at = places.indexOf(id)
      if (at !== -1) virtual.scrollToIndex(at, { align: 'auto' })
    }
  })
  const drawn = new Map(virtual.getVirtualItems().map((item) => [item.key, item]))
  let before = 0
  return (
    <div style={{ height: virtual.getTotalSize() }}>
      {groups.map(({ label, rows }) => {
        const first = before
        before += rows.length
        const seen = rows.flatMap((mail, index) => {
          const item = drawn.get(mail.id)
          return item === undefined ? [] : [{ mail, index, item }]
        })
        const { above, below } = roomAround(
          seen.map(({ item }) => item),
          virtual.measurementsCache,
          places.indexOf(label),
          rows.length,
        )
        return (
          <section key={label} aria-label={label}>
            <DayHeading label={label} count={rows.length} />
            <ul aria-label={label} style={{ paddingTop: above, paddingBottom: below }}>
              {seen.map(({ mail, index, item }) => (
                <MailRow
                  key={mail.id}
                  mail={mail}
                  context={context}
                  isNew={isNew(mail.id)}
                  isOpen={mail.id === openId}
                  isChosen={selection.has(mail.id)}
                  setSize={count}
                  position={first + index + 1}
                  index={item.index}
                  measure={virtual.measureElement}
                />
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

/** The heights of the spacers above and below the rendered rows of a day. */
function roomAround(
  seen: readonly VirtualItem[],
  measured: readonly VirtualItem[],
  heading: number,
  rows: number,
): { above: number; below: number } {
  const start = measured[heading]?.end ?? 0
  const end = measured[heading + rows]?.end ?? start
  const first = seen[0]
  const last = seen.at(-1)
  if (first === undefined || last === undefined) return { above: end - start, below: 0 }
  return { above: first.start - start, below: end - last.end }
}
