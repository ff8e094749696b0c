import { expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { admin } from '#contract/operations/admin.ts'
import { type Ban, BAN_REASON_LABELS, BAN_REASONS, bans, type NamedUser } from '#contract/operations/bans.ts'
import { blankReply } from '../../../../tests/support/blank-reply.ts'
import { closingDialogs } from '../../../../tests/support/closing-dialogs.ts'
import { openPage, toast } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const PANEL = '/wolf-admin-secure-2024?tab=management'
const ADMINISTRATOR = { administrator: true }
const AT = '2026-11-20T10:00:00.000Z'
const LONG_NAME = `Ada ${'Wolfeschlegelsteinhausen'.repeat(2)}`

const form = (name: string) => page.getByRole('form', { name, exact: true })
const dialog = page.getByRole('dialog')
const userId = (of: Locator) => of.getByLabelText('User ID')
const submit = (of: Locator, name: string) => of.getByRole('button', { name, exact: true })
const row = (email: string) => page.getByRole('row').filter({ hasText: email })

const aBan = (fields: Partial<Ban> = {}): Ban => ({
  ...blankReply(bans.ban),
  id: 7,
  user_id: 2,
  user_email: 'tim@howl.example',
  user_name: 'Tim Test',
  reason: 'spam',
  description: 'Mailed a bought list',
  status: 'active',
  banned_by: 'ada@howl.example',
  banned_at: AT,
  ...fields,
})

const BANNED = { id: 7, reason: 'spam' as const, banned_at: AT, expires_at: null }
const NAMED: NamedUser[] = [
  { id: 1, email: 'ada@howl.example', full_name: 'Ada Muster', is_admin: true, ban: null },
  { id: 2, email: 'tim@howl.example', full_name: 'Tim Test', is_admin: false, ban: null },
  { id: 3, email: 'long@howl.example', full_name: LONG_NAME, is_admin: false, ban: BANNED },
]

/** Finds users by their number, or all of them. */
function apiWith(shown: Ban[] = []): FakeApi {
  return fakeApi()
    .answers(admin.stats)
    .answers(bans.list, { bans: shown, has_more: false })
    .answers(bans.findUsers, ({ query: { search = '' } }) => ({
      users: NAMED.filter(({ id }) => Number.isNaN(Number(search)) || id === Number(search)),
      has_more: Number.isNaN(Number(search)),
    }))
}

function openActions(): FakeApi {
  const api = apiWith()
  openPage(`${PANEL}&section=actions`, ADMINISTRATOR)
  return api
}

function openBans(shown: Ban[], query = ''): FakeApi {
  const api = apiWith(shown)
  openPage(`${PANEL}&section=bans${query}`, ADMINISTRATOR)
  return api
}

test('the form of a ban offers every reason, and says what is missing', async () => {
  const api = openActions()
  await expect
    .element(page.getByRole('tab', { name: 'Actions', exact: true }))
    .toHaveAttribute('aria-selected', 'true')
  const banning = form('Ban User')
  await expect.element(userId(banning)).toHaveAttribute('type', 'number')
  await expect.element(banning.getByLabelText('Reason')).toHaveValue('spam')
  const offered = banning.getByLabelText('Reason').getByRole('option').elements()
  expect(offered.map(({ textContent }) => textContent)).toEqual(
    BAN_REASONS.map((each) => BAN_REASON_LABELS[each]),
  )
  await submit(banning, 'Ban User').click()
  await expect.element(userId(banning)).toHaveAccessibleDescription('Please enter a user ID')
  await expect
    .element(banning.getByLabelText('Description'))
    .toHaveAccessibleDescription('Please enter a description')
  await expectSound()
  expect(api.calls(bans.ban)).toEqual([])
})

test('a user is found and banned for some days; a failure keeps what was typed', async () => {
  const api = openActions().fails(bans.ban)
  const banning = form('Ban User')
  await page.getByLabelText('Email, name or ID').fill('howl')
  await expect
    .element(page.getByText('More users match. Type more of the name or the address.'))
    .toBeVisible()
  await expectSound()
  await page.getByRole('button', { name: 'Choose tim@howl.example to ban' }).click()
  await expect.element(userId(banning)).toHaveValue(2)
  await expect.element(userId(banning)).toHaveAccessibleDescription(/Tim Test/)
  await banning.getByLabelText('Description').fill('Mailed a bought list')
  const days = banning.getByLabelText('Duration in days')
  await days.fill('a week')
  await submit(banning, 'Ban User').click()
  await expect.element(days).toHaveAccessibleDescription(/whole number of days/)
  await expect.element(userId(banning)).toHaveAccessibleDescription(/Tim Test/)
  await days.fill('7')
  await submit(banning, 'Ban User').click()
  await expect.element(toast('Error banning user')).toBeVisible()
  await expect.element(banning.getByLabelText('Description')).toHaveValue('Mailed a bought list')
  api.refuses(bans.ban, 400, 'You cannot ban yourself.')
  await submit(banning, 'Ban User').click()
  await expect.element(toast('Error: You cannot ban yourself.')).toBeVisible()
  api.answers(bans.ban, aBan())
  await submit(banning, 'Ban User').click()
  await expect.element(toast('User banned successfully')).toBeVisible()
  await expect.element(banning.getByLabelText('Description')).toHaveValue('')
  expect(api.calls(bans.ban).at(-1)?.body).toEqual({
    user_id: 2,
    reason: 'spam',
    description: 'Mailed a bought list',
    ban_duration_days: 7,
  })
})

test('nobody is banned twice, and a number may be nobody’s', async () => {
  const api = openActions()
  const banning = form('Ban User')
  await banning.getByLabelText('Description').fill('Again')
  await userId(banning).fill('3')
  await expect.element(banning).toMatchTextContent(`${LONG_NAME}long@howl.example · ID 3Banned`)
  await submit(banning, 'Ban User').click()
  await expect.element(userId(banning)).toHaveAccessibleDescription('This user is banned already')
  await expectSound()
  await userId(banning).fill('987654321')
  await expect.element(userId(banning)).toHaveAccessibleDescription('No user has this ID.')
  expect(api.calls(bans.ban)).toEqual([])
})

test('a ban is lifted by its form, and says what is wrong', async () => {
  const api = openActions().refuses(bans.unban, 409, 'This user is not banned.')
  const unbanning = form('Unban User')
  await submit(unbanning, 'Unban User').click()
  await expect.element(userId(unbanning)).toHaveAccessibleDescription('Please enter a user ID')
  await expect
    .element(unbanning.getByLabelText('Reason'))
    .toHaveAccessibleDescription('Please enter a reason')
  await page.getByLabelText('Email, name or ID').fill('long')
  await page.getByRole('button', { name: 'Choose long@howl.example to unban' }).click()
  await expect.element(userId(unbanning)).toHaveValue(3)
  await unbanning.getByLabelText('Reason').fill('A mistake')
  await submit(unbanning, 'Unban User').click()
  await expect.element(toast('Error: This user is not banned.')).toBeVisible()
  api.fails(bans.unban)
  await submit(unbanning, 'Unban User').click()
  await expect.element(toast('Error unbanning user')).toBeVisible()
  api.answers(bans.unban, aBan())
  await submit(unbanning, 'Unban User').click()
  await expect.element(toast('User unbanned successfully')).toBeVisible()
  await expect.element(unbanning.getByLabelText('Reason')).toHaveValue('')
  expect(api.calls(bans.unban).at(-1)?.body).toEqual({ user_id: 3, reason: 'A mistake' })
})

test('each ban says who, why, until when and what became of it', async () => {
  openBans([
    aBan({ appeal_submitted_at: AT, appeal_message: 'They all asked me to write' }),
    aBan({
      id: 8,
      user_email: 'una@howl.example',
      status: 'lifted',
      ended_at: AT,
      unban_reason: 'It was somebody else',
      is_automatic: true,
      banned_by: null,
    }),
    aBan({
      id: 9,
      user_email: 'long@howl.example',
      user_name: LONG_NAME,
      description: 'The same words to many strangers. '.repeat(8),
      expires_at: AT,
    }),
  ])
  const [tim, una] = [row('tim@howl.example'), row('una@howl.example')]
  await expect.element(tim).toMatchTextContent('ActiveAppeal')
  await expect.element(tim).toMatchTextContent('Permanent')
  await expect.element(tim).toMatchTextContent('by ada@howl.example')
  await expect.element(tim).toMatchTextContent('Appeal: They all asked me to write')
  await expect.element(una).toMatchTextContent('by the rules of abuse')
  await expect.element(una).toMatchTextContent('Lifted: It was somebody else')
  await expect.element(una.getByRole('button')).not.toBeInTheDocument()
  await expect.element(row('long@howl.example')).toMatchTextContent('Nov 20, 2026')
  await expectSound()
})

test('a ban of the list is lifted for a reason', async () => {
  const api = openBans([aBan()]).answers(bans.unban, aBan({ status: 'lifted' }))
  await page.getByRole('button', { name: 'Unban tim@howl.example' }).click()
  await submit(dialog, 'Unban').click()
  await expect.element(dialog).toMatchTextContent('Please enter a reason')
  await expectSound()
  await dialog.getByLabelText('Reason').fill('It was somebody else')
  await submit(dialog, 'Unban').click()
  await expect.element(toast('User unbanned successfully')).toBeVisible()
  expect(api.calls(bans.unban)[0]?.body).toEqual({ user_id: 2, reason: 'It was somebody else' })
})

test('an appeal is answered in words', async () => {
  const appealed = aBan({ appeal_submitted_at: AT, appeal_message: 'They all asked me to write' })
  const api = openBans([appealed]).answers(bans.answer, { ...appealed, appeal_decision: 'keep' })
  await page.getByRole('button', { name: 'Answer the appeal of tim@howl.example' }).click()
  await expect.element(dialog).toMatchTextContent('They all asked me to write')
  await submit(dialog, 'Keep ban').click()
  await expect.element(dialog.getByLabelText('Answer')).toHaveAccessibleDescription('Please write an answer')
  await expectSound()
  await dialog.getByLabelText('Answer').fill('Three of them complained')
  await submit(dialog, 'Keep ban').click()
  await expect.element(toast('Answer sent, the ban stays')).toBeVisible()
  expect(api.calls(bans.answer).map(({ body }) => body)).toEqual([
    { decision: 'keep', answer: 'Three of them complained' },
  ])
})

test.each([
  ['Unban tim@howl.example', 'tim@howl.example can log in again'],
  ['Answer the appeal of tim@howl.example', 'tim@howl.example gets your answer by mail.'],
])('“%s” keeps its words while it closes, and returns the focus', async (name, words) => {
  openBans([aBan({ appeal_submitted_at: AT, appeal_message: 'They all asked me to write' })])
  const closing = closingDialogs()
  await page.getByRole('button', { name }).click()
  await submit(dialog, 'Cancel').click()
  await expect.element(page.getByRole('button', { name })).toHaveFocus()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(closing).toEqual([expect.stringContaining(words)])
})

test('the filter of the list stands in the address', async () => {
  const api = openBans([], '&status=lifted')
  await expect.element(page.getByText('No bans of this kind')).toBeVisible()
  await expect.element(page.getByLabelText('Show')).toHaveValue('lifted')
  await page.getByLabelText('Show').selectOptions('In force')
  await expect.poll(() => api.calls(bans.list).at(-1)?.query).toMatchObject({ status: 'active', page: '1' })
  await expect.poll(() => location.search).toBe('?tab=management&section=bans&status=active')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.element(page.getByText('Nobody is banned')).toBeVisible()
  await expectSound()
})

test('bans that cannot be loaded are asked for again', async () => {
  const api = apiWith().refuses(bans.list, 500, '')
  openPage(`${PANEL}&section=bans`, ADMINISTRATOR)
  await expect.element(page.getByText('Failed to load bans')).toBeVisible()
  api.answers(bans.list, { bans: [aBan()], has_more: false })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row('tim@howl.example')).toBeVisible()
})
