import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { meeting, meetings } from '#contract/crm/meetings.ts'
import { emails } from '#contract/mail/emails.ts'
import { dashboard } from '#contract/overview/dashboard.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { blank, blankReply } from '../../../tests/support/blank-reply.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { emptyAccount } from '../../../tests/support/empty-account.ts'

const BUSY = { ...blankReply(dashboard.today), unread_replies: 12, overdue_tasks: 3 }
const RATE = { ...blankReply(emails.responseRate), responseRate: '40%', replied: 2, mailed: 5 }
const NEXT = blank(meeting, { id: 1, start_time: '2099-03-08T08:00:00Z', end_time: '2099-03-08T09:00:00Z' })

type Late = [Endpoint, reply: unknown, seen: RegExp]
const DUE: Late[] = [[dashboard.today, BUSY, /12 unread replies/]]
const NOTES: Late[] = [
  [emails.responseRate, RATE, /2 of 5 replied/],
  [meetings.list, [NEXT], /^Next: /],
]

test.each([
  ['what is due', DUE, NOTES],
  ['the notes of the figures', NOTES, DUE],
])('nothing below moves when late answers bring %s', async (_, late, early) => {
  const api = emptyAccount()
  let arrive = () => {}
  const held = new Promise<void>((resolve) => (arrive = resolve))
  for (const [endpoint, reply] of [...late, ...early])
    api.responds(endpoint, async () => {
      if (late.some(([each]) => each === endpoint)) await held
      return Response.json(reply, { headers: { 'X-Total-Count': '1' } })
    })
  openPage('/dashboard')
  const activity = page.getByRole('region', { name: 'Activity' })
  const top = () => activity.element().getBoundingClientRect().top
  await expect.element(page.getByText('Nothing in the last 30 days')).toBeVisible()
  for (const [, , seen] of early) await expect.element(page.getByText(seen)).toBeVisible()
  for (const [, , seen] of late) await expect.element(page.getByText(seen)).not.toBeInTheDocument()
  const before = top()
  arrive()
  for (const [, , seen] of late) await expect.element(page.getByText(seen)).toBeVisible()
  expect(Math.abs(top() - before)).toBeLessThan(1)
})
