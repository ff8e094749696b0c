import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type Notification, notification as schema, notifications } from '#contract/accounts/notifications.ts'
import { abuse, type Pattern, pattern } from '#contract/operations/abuse.ts'
import { bans } from '#contract/operations/bans.ts'
import { blank } from '../../../../tests/support/blank-reply.ts'
import { openPage } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const PANEL = '/wolf-admin-secure-2024?tab=management'
const AT = '2026-11-20T10:00:00.000Z'
const SEEN = '350 of 1,000 mails (35 %) came back because the addresses do not exist.'

const sections = page.getByRole('tablist', { name: 'User Management' })
const list = page.getByRole('list', { name: 'Notifications' })
const told = (title: string) => list.getByRole('listitem').filter({ hasText: title })
const row = (name: string) =>
  page.getByRole('table', { name: 'Abuse patterns' }).getByRole('row').filter({ hasText: name })

const aPattern = (id: number, fields: Partial<Pattern>): Pattern =>
  blank(pattern, {
    id,
    user_id: 2,
    user_email: 'tim@howl.example',
    occurrences: id,
    first_detected: AT,
    last_detected: AT,
    description: SEEN,
    risk: 50,
    ban_reason: 'multiple_accounts',
    ...fields,
  })

const aNotification = (id: number, title: string, fields: Partial<Notification> = {}): Notification =>
  blank(schema, { id, title, message: SEEN, priority: 4, created_at: AT, ...fields })

/** The newest `limit` of these. */
function apiWith(all: Notification[]): FakeApi {
  return fakeApi()
    .answers(abuse.statistics)
    .answers(notifications.list, ({ query: { limit } }) => ({
      notifications: all.slice(0, Number(limit)),
      unread: all.filter((each) => !each.is_read).length,
    }))
}

const open = (section: string) => openPage(`${PANEL}&section=${section}`, { administrator: true })

test('User Management opens with its figures and the newest notifications', async () => {
  const api = apiWith([1, 2, 3, 4, 5, 6].map((n) => aNotification(n, `Notification ${n}`)))
  openPage(PANEL, { administrator: true })
  await expect
    .element(sections.getByRole('tab', { name: 'Overview' }))
    .toHaveAttribute('aria-selected', 'true')
  expect(
    sections
      .getByRole('tab')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Overview', 'User Activities', 'User Bans', 'Abuse Patterns', 'Notifications', 'Actions'])
  for (const card of ['Active Bans', 'Abuse Patterns', 'High Risk Users', 'Notifications'])
    await expect.element(page.getByRole('term').filter({ hasText: card })).toBeVisible()
  await expect.poll(() => list.getByRole('listitem').length).toBe(5)
  await expectSound()
  await page.getByRole('link', { name: 'All notifications' }).click()
  await expect.element(told('Notification 6')).toBeVisible()
  expect(api.calls(notifications.list).at(-1)?.query).toEqual({ limit: '20' })
})

test('nothing to tell is said in both places', async () => {
  apiWith([])
  openPage(PANEL, { administrator: true })
  await expect.element(page.getByText('No notifications yet')).toBeVisible()
  await expectSound()
  await page.getByRole('link', { name: 'All notifications' }).click()
  await expect.element(page.getByText('No notifications yet')).toBeVisible()
})

test('a notification is new until it is marked as read; all can be marked at once', async () => {
  const all = [
    aNotification(1, 'A user is at high risk', { user_email: 'tim@howl.example' }),
    aNotification(2, 'Somebody guesses codes', { priority: 3 }),
    aNotification(3, 'A user was warned', { priority: 2 }),
  ]
  const read = (...ids: number[]) => {
    for (const each of all) if (ids.includes(each.id)) each.is_read = true
    return { ok: true }
  }
  apiWith(all)
    .answers(notifications.markRead, ({ params }) => read(Number(params['id'])))
    .answers(notifications.markAllRead, () => read(1, 2, 3))
  open('notifications')
  const risk = told('A user is at high risk')
  await expect.element(risk).toMatchTextContent('tim@howl.example')
  await expect.element(risk.getByText('New', { exact: true })).toBeVisible()
  await expect.element(risk.getByText('Priority 4')).toBeVisible()
  await expectSound()
  await risk.getByRole('button', { name: 'Mark as read' }).click()
  await expect.element(risk.getByText('New', { exact: true })).not.toBeInTheDocument()
  await expect.element(risk.getByRole('button', { name: 'Mark as read' })).not.toBeInTheDocument()
  await expect.element(page.getByText('2 new')).toBeVisible()
  const markAll = page.getByRole('button', { name: 'Mark all as read' })
  await markAll.click()
  await expect.element(markAll).not.toBeInTheDocument()
  await expect.element(page.getByText('New', { exact: true })).not.toBeInTheDocument()
})

test('the colours of severities: red, orange, yellow, else blue; a pattern says what it means and leads to the ban', async () => {
  fakeApi()
    .answers(bans.findUsers, {
      users: [{ id: 2, email: 'tim@howl.example', full_name: 'Tim Test', is_admin: false, ban: null }],
      has_more: false,
    })
    .answers(abuse.patterns, {
      patterns: [
        aPattern(5, { pattern_type: 'bounce_rate', severity: 5 }),
        aPattern(4, { pattern_type: 'code_sweep', severity: 4 }),
        aPattern(3, { pattern_type: 'many_accounts', severity: 3 }),
        aPattern(2, { pattern_type: 'same_words', severity: 2 }),
        aPattern(1, {
          pattern_type: 'farmed_credits',
          severity: 1,
          is_banned: true,
          auto_ban_triggered: true,
        }),
      ],
      has_more: false,
    })
  open('patterns')
  await expect.element(row('Many bounces')).toMatchTextContent(SEEN)
  await expect
    .element(row('Many bounces'))
    .toMatchTextContent('A large share of the mail came back because the addresses do not exist.')
  await expect.element(row('Many bounces').getByText('Risk 50')).toBeVisible()
  const colour = (name: string, severity: number) =>
    getComputedStyle(row(name).getByText(`Severity ${severity} of 5`).element()).color
  const five = colour('Many bounces', 5)
  const others = [
    colour('Guessed codes', 4),
    colour('Many accounts from one network', 3),
    colour('Same words to many strangers', 2),
    colour('Farmed credits', 1),
  ]
  expect(five).toBe(others[0])
  expect(new Set(others).size).toBe(4)
  await expect.element(row('Farmed credits')).toMatchTextContent('Howl banned this user because of it.')
  await expectSound()
  await row('Many accounts').getByRole('link', { name: 'Ban tim@howl.example' }).click()
  await expect
    .element(sections.getByRole('tab', { name: 'Actions' }))
    .toHaveAttribute('aria-selected', 'true')
  const form = page.getByRole('form', { name: 'Ban User', exact: true })
  await expect.element(form.getByLabelText('Reason')).toHaveValue('multiple_accounts')
  await expect.element(form.getByLabelText('Description')).toHaveValue(SEEN)
  await expect.element(form).toMatchTextContent('tim@howl.example')
})

test('patterns that cannot be loaded are asked for again, and none are told', async () => {
  const api = fakeApi().refuses(abuse.patterns, 503, 'Not now')
  open('patterns')
  await expect.element(page.getByText('Failed to load abuse patterns')).toBeVisible()
  api.answers(abuse.patterns)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('No abuse found')).toBeVisible()
  await expectSound()
})
