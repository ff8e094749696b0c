import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { auth } from '#contract/accounts/auth.ts'
import { profile } from '#contract/accounts/profile.ts'
import { contact, contacts } from '#contract/crm/contacts.ts'
import { meeting, meetings } from '#contract/crm/meetings.ts'
import { todo, todos } from '#contract/crm/todos.ts'
import { emails } from '#contract/mail/emails.ts'
import { email } from '#contract/mail/email.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { dashboard } from '#contract/overview/dashboard.ts'
import { blank, blankReply } from '../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { dashboardApi } from '../../../tests/support/dashboard-api.ts'
import type { FakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const panel = (name: string) => page.getByRole('region', { name, exact: true })
const PANELS = ['My Tasks', 'Meeting Reminders', 'Recent Contacts', 'Recent Emails']
const NOTHING_YET = ['No tasks found', 'No upcoming meetings.', 'No contacts found', 'No emails found']

const TEN = Array.from({ length: 10 }, (_, at) => at + 1)
const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** A day with ten rows in each panel, none of them with “zzzz” in it. */
function busyApi(): FakeApi {
  return dashboardApi()
    .answers(
      todos.list,
      TEN.map((id) => blank(todo, { id, title: `Task ${id}`, priority: 'medium' })),
    )
    .answers(
      meetings.list,
      TEN.map((id) =>
        blank(meeting, {
          id,
          title: `Call ${id}`,
          type: 'phone',
          status: 'scheduled',
          start_time: later(id),
          end_time: later(id + 1),
        }),
      ),
    )
    .answers(
      contacts.list,
      TEN.map((id) => blank(contact, { id, name: `Person ${id}`, email: `p${id}@x.example` })),
    )
    .answers(emails.list, ({ query }) =>
      query.search === 'zzzz'
        ? []
        : TEN.map((id) => blank(email, { id, subject: `Mail ${id}`, timestamp: later(-id) })),
    )
    .answers(dashboard.today, {
      ...blankReply(dashboard.today),
      overdue_tasks: 1,
      meetings_to_come: 3,
      unread_replies: 12,
    })
}

test('a new user reads what to do first, and panels are as short as what is in them', async () => {
  dashboardApi()
  openPage('/dashboard')
  await expect.element(page.getByText('Welcome, Ada Muster. Times are in Europe/Berlin.')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Next steps' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Add contacts' })).toHaveAttribute('href', '/contacts')
  await expect
    .element(page.getByRole('link', { name: 'See templates' }))
    .toHaveAttribute('href', '/outreach/templates')
  for (const [at, name] of PANELS.entries())
    await expect.element(panel(name)).toMatchTextContent(NOTHING_YET[at] ?? '')
  for (const name of PANELS)
    await expect.poll(() => panel(name).element().getBoundingClientRect().height).toBeLessThan(330)
  await expect.element(panel('Today')).not.toBeInTheDocument()
  await expectSound()
})

test('panels with rows keep their height while they are searched', async () => {
  // Below each other, where no taller one beside it holds a panel open.
  onTestFinished(() => page.viewport(1440, 900))
  await page.viewport(900, 900)
  busyApi()
  openPage('/dashboard')
  for (const name of PANELS)
    await expect.element(panel(name).getByRole('listitem').nth(7)).toBeInTheDocument()
  await expect.element(panel('Today')).toBeVisible()
  const heights = () => PANELS.map((name) => panel(name).element().getBoundingClientRect().height)
  const filled = heights()
  await panel('Recent Emails').getByRole('searchbox').fill('zzzz')
  await expect.element(panel('Recent Emails')).toMatchTextContent('Nothing matches')
  await expect.poll(heights).toEqual(filled)
})

test('what waits today is named with the way to it', async () => {
  const api = busyApi()
  openPage('/dashboard')
  const today = panel('Today')
  await expect
    .element(today.getByRole('link', { name: '12 unread replies' }))
    .toHaveAttribute('href', '/emails?folder=inbox&filter=unread')
  await expect
    .element(today.getByRole('link', { name: '3 meetings to come' }))
    .toHaveAttribute('href', '/meetings')
  await expectSound()
  await today.getByRole('button', { name: '1 overdue task' }).click()
  const tasks = panel('My Tasks')
  await expect.element(tasks.getByLabelText('Sort tasks')).toHaveValue('due_date')
  await expect.element(tasks.getByLabelText('Filter by status')).toHaveValue('pending')
  await expect.element(tasks).toBeInViewport()
  api
    .answers(dashboard.today)
    .answers(todos.toggle, blank(todo, { id: 1, title: 'Task 1', priority: 'medium' }))
  await tasks.getByRole('checkbox', { name: 'Mark complete: Task 1', exact: true }).click()
  await expect.poll(() => api.calls(todos.toggle)).toHaveLength(1)
  api.tells({ topic: 'todos' })
  await expect.element(today).not.toBeInTheDocument()
})

test('a meeting that began more than five minutes ago is let go of, without being asked', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  try {
    const late = blank(meeting, {
      id: 1,
      title: 'Late call',
      type: 'phone',
      status: 'scheduled',
      start_time: later(-0.05),
      end_time: later(1),
    })
    dashboardApi().answers(meetings.list, [late])
    openPage('/dashboard')
    await expect.element(panel('Meeting Reminders')).toMatchTextContent('Late call')
    await vi.advanceTimersByTimeAsync(150_000)
    await expect.element(panel('Meeting Reminders')).not.toMatchTextContent('Late call')
  } finally {
    vi.useRealTimers()
  }
})

test('the panels of contacts and emails search and filter', async () => {
  const roth = blank(contact, { id: 3, name: 'Cleo Roth', email: 'cleo@books.example' })
  const api = busyApi().answers(contacts.list, ({ query }) =>
    query.status === 'replied'
      ? []
      : query.search === 'roth'
        ? [roth]
        : [roth, { ...roth, id: 4, name: 'Dan Vogt' }],
  )
  openPage('/dashboard')
  const people = panel('Recent Contacts')
  await expect.element(people.getByRole('listitem')).toHaveLength(2)
  await people.getByLabelText('Search contacts').fill('roth')
  await expect.element(people.getByRole('listitem')).toHaveLength(1)
  await expect.element(people.getByRole('listitem')).toMatchTextContent('Cleo Roth')
  await people.getByLabelText('Filter contacts').selectOptions('replied')
  await expect.element(people).toMatchTextContent('No contacts found')
  expect(api.calls(contacts.list).at(-1)?.query).toMatchObject({ search: 'roth', status: 'replied' })
})

test('a country sets the time zone of every screen', async () => {
  const api = dashboardApi().answers(profile.update, {
    ...blankReply(profile.update),
    country: 'JP',
  })
  openPage('/dashboard')
  const country = page.getByLabelText('Country')
  await expect.element(country.getByRole('option')).toHaveLength(14)
  api.answers(auth.me, { ...blankReply(auth.me), id: 1, country: 'JP' })
  await country.selectOptions('Japan')
  await expect.element(toast('Timezone updated to Asia/Tokyo')).toBeVisible()
  await expect.element(page.getByText('Times are in Asia/Tokyo.')).toBeVisible()
  await expect.element(country).toHaveValue('JP')
  expect(localStorage.getItem('app.timeZone')).toBe('Asia/Tokyo')
  expect(api.calls(profile.update).map(({ body }) => body)).toEqual([{ country: 'JP' }])
})

test('what happens elsewhere comes by itself', async () => {
  const api = dashboardApi()
  openPage('/dashboard')
  await expect.element(panel('Meeting Reminders')).toMatchTextContent('No upcoming meetings.')
  await expect.element(panel('Activity')).toMatchTextContent('Nothing in the last 30 days')
  const call = { type: 'phone', status: 'scheduled', start_time: later(1), end_time: later(2) } as const
  api
    .answers(meetings.list, [blank(meeting, { id: 1, title: 'Tasting', ...call })])
    .answers(dashboard.activity, [{ day: '2027-03-08', sent: 0, replies: 0, meetings: 1 }])
    .answers(dashboard.today, { ...blankReply(dashboard.today), meetings_to_come: 1 })
  api.tells({ topic: 'meetings' })
  await expect.element(panel('Meeting Reminders')).toMatchTextContent('Tasting')
  await expect.element(panel('Today')).toMatchTextContent('1 meeting to come')
  await expect.element(panel('Activity').getByRole('img', { name: /^Meetings: 1 in/ })).toBeVisible()
})

test('practice is said in the greeting', async () => {
  dashboardApi().answers(mailboxes.get, { ...blankReply(mailboxes.get), practice: true })
  openPage('/dashboard')
  await expect
    .element(page.getByText('You are practising: everything you send stays inside Howl.'))
    .toBeVisible()
})
