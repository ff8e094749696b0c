import type { Page } from '@playwright/test'
import { BAN_REASON_LABELS, BAN_REASONS, bans } from '#contract/operations/bans.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import {
  type E2eUser,
  expect,
  type Howl,
  newAdministrator,
  newUser,
  signedIn,
  signedInAdministrator,
  test,
} from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { systemMailOn } from '../../support/system-mail.ts'
import { codeOf, switchTwoStepOn } from '../../support/two-step.ts'
import { toast } from '../../support/toast.ts'

const PANEL = '/wolf-admin-secure-2024?tab=management'
const BANS = `${PANEL}&section=bans`
const ACTIONS = `${PANEL}&section=actions`

const form = (page: Page, name: string) => page.getByRole('form', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const row = (page: Page, { email }: E2eUser) => page.getByRole('row').filter({ hasText: email })
const notice = (page: Page) => page.getByRole('heading', { name: 'This account is banned' })

type Boss = E2eUser & { adminToken: string }

async function ban(
  page: Page,
  boss: Boss,
  user: E2eUser,
  more: { days?: number; description?: string } = {},
): Promise<number> {
  const answer = await page.request.post(pathOf(bans.ban), {
    headers: { Authorization: `Bearer ${boss.adminToken}` },
    data: {
      user_id: user.id,
      reason: 'spam',
      description: more.description ?? 'Mailed a bought list',
      ban_duration_days: more.days ?? null,
    },
  })
  expect(answer.status()).toBe(200)
  return ((await answer.json()) as { id: number }).id
}

async function logIn(page: Page, { email, password }: E2eUser): Promise<void> {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

async function appealAs(page: Page, user: E2eUser, message: string): Promise<void> {
  await logIn(page, user)
  await page.getByLabel('Your appeal').fill(message)
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByText('Your appeal was sent.')).toBeVisible()
}

/** An administrator in the page, who stays one whatever happens to others. */
async function boss(page: Page, howl: Howl): Promise<Boss> {
  await newAdministrator(page, howl)
  return signedInAdministrator(page, howl)
}

test('an administrator finds a user, bans and unbans them, and reads what is wrong', async ({
  page,
  howl,
}) => {
  const admin = await boss(page, howl)
  const user = await newUser(page, { name: 'Tim Test' })
  await page.goto(ACTIONS)
  await expect(page.getByRole('tab', { name: 'Actions', exact: true })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  const banning = form(page, 'Ban User')
  await expect(banning.getByLabel('User ID')).toHaveAttribute('type', 'number')
  await expect(banning.getByLabel('Reason')).toHaveValue('spam')
  await expect(banning.getByLabel('Reason').getByRole('option')).toHaveText(
    BAN_REASONS.map((reason) => BAN_REASON_LABELS[reason]),
  )
  await banning.getByRole('button', { name: 'Ban User' }).click()
  await expect(banning.getByLabel('User ID')).toHaveAccessibleDescription('Please enter a user ID')
  await expect(banning.getByLabel('Description')).toHaveAccessibleDescription('Please enter a description')

  await page.getByLabel('Email, name or ID').fill(user.email)
  await page.getByRole('button', { name: `Choose ${user.email} to ban` }).click()
  await expect(banning.getByLabel('User ID')).toHaveValue(String(user.id))
  await expect(banning.getByLabel('User ID')).toHaveAccessibleDescription(/Tim Test/)
  await banning.getByLabel('Description').fill('Mailed a bought list')
  await banning.getByLabel('Duration in days').fill('a week')
  await banning.getByRole('button', { name: 'Ban User' }).click()
  await expect(banning.getByLabel('User ID')).toHaveAccessibleDescription(/Tim Test/)
  await expect(banning.getByLabel('Duration in days')).toHaveAccessibleDescription(/whole number of days/)
  await banning.getByLabel('Duration in days').fill('7')
  await page.route(`**${pathOf(bans.ban)}`, (route) => route.abort())
  await banning.getByRole('button', { name: 'Ban User' }).click()
  await expect(toast(page, 'Error banning user')).toBeVisible()
  await expect(banning.getByLabel('Description')).toHaveValue('Mailed a bought list')
  await page.unroute(`**${pathOf(bans.ban)}`)
  await banning.getByRole('button', { name: 'Ban User' }).click()
  await expect(toast(page, 'User banned successfully')).toBeVisible()
  await expect(banning.getByLabel('Description')).toHaveValue('')

  await banning.getByLabel('User ID').fill(String(admin.id))
  await banning.getByLabel('Description').fill('Me')
  await banning.getByRole('button', { name: 'Ban User' }).click()
  await expect(toast(page, 'Error: You cannot ban yourself.')).toBeVisible()
  await banning.getByLabel('User ID').fill(String(user.id))
  await expect(banning).toContainText('Banned')
  await banning.getByRole('button', { name: 'Ban User' }).click()
  await expect(banning.getByLabel('User ID')).toHaveAccessibleDescription('This user is banned already')
  await banning.getByLabel('User ID').fill('987654321')
  await expect(banning.getByLabel('User ID')).toHaveAccessibleDescription('No user has this ID.')

  await page.goto('/wolf-admin-secure-2024?tab=users')
  await expect(row(page, user)).toContainText('Inactive')
  await expect(row(page, user)).toContainText('banned')

  await page.goto(ACTIONS)
  const unbanning = form(page, 'Unban User')
  await unbanning.getByRole('button', { name: 'Unban User' }).click()
  await expect(unbanning.getByLabel('User ID')).toHaveAccessibleDescription('Please enter a user ID')
  await expect(unbanning.getByLabel('Reason')).toHaveAccessibleDescription('Please enter a reason')
  await unbanning.getByLabel('User ID').fill(String(admin.id))
  await unbanning.getByLabel('Reason').fill('A mistake')
  await unbanning.getByRole('button', { name: 'Unban User' }).click()
  await expect(toast(page, 'Error: This user is not banned.')).toBeVisible()
  await page.route(`**${pathOf(bans.unban)}`, (route) => route.abort())
  await unbanning.getByRole('button', { name: 'Unban User' }).click()
  await expect(toast(page, 'Error unbanning user')).toBeVisible()
  await page.unroute(`**${pathOf(bans.unban)}`)
  await unbanning.getByLabel('User ID').fill(String(user.id))
  await unbanning.getByRole('button', { name: 'Unban User' }).click()
  await expect(toast(page, 'User unbanned successfully')).toBeVisible()
})

test('whoever is banned is out at once, reads why and until when, and appeals', async ({
  page,
  howl,
  browser,
}) => {
  const user = await signedIn(page, { name: 'Tim Test' })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const other = await browser.newPage({ baseURL: howl.url })
  const admin = await boss(other, howl)
  await ban(other, admin, user, { days: 7 })
  // The open page notices by itself.
  await expect(page).toHaveURL(`${howl.url}/`)

  await logIn(page, { ...user, password: 'not the password' })
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Wrong username or email or password')
  await expect(notice(page)).toHaveCount(0)
  await logIn(page, user)
  await expect(notice(page)).toBeVisible()
  const said = page.getByRole('main')
  await expect(said).toContainText('Spam')
  await expect(said).toContainText('Mailed a bought list')
  await expect(said).toContainText(/Until\w+, \w+ \d+, \d{4} at \d\d:\d\d/)
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByLabel('Your appeal')).toHaveAccessibleDescription(
    'Please write why the ban should end',
  )
  await page.getByLabel('Your appeal').fill('They all asked me to write')
  await page.route(`**${pathOf(bans.appeal)}`, (route) => route.abort())
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByText('Your appeal could not be sent. Please try again.')).toBeVisible()
  await page.unroute(`**${pathOf(bans.appeal)}`)
  // Whoever has to log in again writes nothing twice.
  await page.getByRole('button', { name: 'Back to login' }).click()
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByLabel('Your appeal')).toHaveValue('They all asked me to write')
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByText('Your appeal was sent. An administrator answers it by email.')).toBeVisible()
  await logIn(page, user)
  await expect(page.getByText(/^You appealed on /)).toBeVisible()
  await expect(page.getByLabel('Your appeal')).toHaveCount(0)

  await other.goto(`${BANS}&status=appealed`)
  await expect(row(other, user)).toContainText('They all asked me to write')
  await row(other, user)
    .getByRole('button', { name: `Answer the appeal of ${user.email}` })
    .click()
  const answering = dialog(other, 'Answer Appeal')
  await expect(answering).toContainText('They all asked me to write')
  await answering.getByRole('button', { name: 'Keep ban' }).click()
  await expect(answering.getByLabel('Answer')).toHaveAccessibleDescription('Please write an answer')
  await answering.getByLabel('Answer').fill('Three of them complained')
  await answering.getByRole('button', { name: 'Keep ban' }).click()
  await expect(toast(other, 'Answer sent, the ban stays')).toBeVisible()
  await expect(other.getByText('No bans of this kind')).toBeVisible()
  const mail = await systemMailOn(howl.systemMail, user.email, 'Your appeal: the ban stays')
  expect(mail.text).toContain('Three of them complained')

  await appealAs(page, user, 'I have their letters')
  await other.getByRole('button', { name: 'Refresh' }).click()
  await row(other, user)
    .getByRole('button', { name: `Answer the appeal of ${user.email}` })
    .click()
  await answering.getByLabel('Answer').fill('You are right')
  await answering.getByRole('button', { name: 'Lift ban' }).click()
  await expect(toast(other, 'Answer sent, the ban is lifted')).toBeVisible()
  await logIn(page, user)
  await expect(page).toHaveURL('/dashboard')
  await other.close()
})

test('with two-step sign-in the ban is shown after the code', async ({ page, howl }) => {
  const admin = await boss(page, howl)
  const user = await newUser(page)
  const { secret } = await switchTwoStepOn(howl.url, user, () => new Date())
  await ban(page, admin, user)
  await logIn(page, user)
  const code = page.getByRole('textbox', { name: 'Code', exact: true })
  await expect(code).toBeVisible()
  await expect(notice(page)).toHaveCount(0)
  await code.fill(codeOf(secret, new Date()))
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(notice(page)).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Permanently')
})

test('the list of bans has filters, and lifts one for a reason', async ({ page, howl }) => {
  const admin = await boss(page, howl)
  const user = await newUser(page, { name: 'Tim Test' })
  await ban(page, admin, user)
  await page.goto(BANS)
  await expect(row(page, user)).toContainText('Active')
  await expect(row(page, user)).toContainText('Permanent')
  await expect(row(page, user)).toContainText(admin.email)
  await row(page, user)
    .getByRole('button', { name: `Unban ${user.email}` })
    .click()
  await dialog(page, 'Unban User').getByRole('button', { name: 'Unban' }).click()
  await expect(dialog(page, 'Unban User')).toContainText('Please enter a reason')
  await dialog(page, 'Unban User').getByLabel('Reason').fill('It was somebody else')
  await dialog(page, 'Unban User').getByRole('button', { name: 'Unban' }).click()
  await expect(toast(page, 'User unbanned successfully')).toBeVisible()
  await expect(row(page, user)).toContainText('Lifted')
  await expect(row(page, user)).toContainText('It was somebody else')
  await page.getByLabel('Show').selectOption('In force')
  await expect(row(page, user)).toHaveCount(0)
  await page.getByLabel('Show').selectOption('Lifted')
  await expect(row(page, user)).toBeVisible()
  await page.reload()
  await expect(row(page, user)).toBeVisible()

  await page.route(`**${pathOf(bans.list)}?*`, (route) => route.fulfill({ status: 500, body: '' }))
  await page.reload()
  await expect(page.getByText('Failed to load bans')).toBeVisible()
  await page.unroute(`**${pathOf(bans.list)}?*`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(row(page, user)).toBeVisible()
})

test('bans fit and can be used by everybody', async ({ page, howl }) => {
  test.setTimeout(120_000)
  const admin = await boss(page, howl)
  await page.route(`**${pathOf(bans.list)}?*`, (route) =>
    route.fulfill({ json: { bans: [], has_more: false } }),
  )
  await page.goto(BANS)
  await expect(page.getByText('Nobody is banned')).toBeVisible()
  await expectSound(page)
  await page.unroute(`**${pathOf(bans.list)}?*`)

  const long = await newUser(page, { name: `Ada ${'Wolfeschlegelsteinhausen'.repeat(2)}` })
  const tim = await newUser(page, { name: 'Tim Test' })
  const una = await newUser(page, { name: 'Una Unbanned' })
  // Five are shown.
  for (let more = 0; more < 2; more++) await newUser(page)
  await ban(page, admin, long, { description: 'The same words to many strangers. '.repeat(8) })
  await ban(page, admin, tim, { days: 7 })
  await ban(page, admin, una, { days: 1 })
  await page.request.post(pathOf(bans.unban), {
    headers: { Authorization: `Bearer ${admin.adminToken}` },
    data: { user_id: una.id, reason: 'It was somebody else' },
  })
  await logIn(page, tim)
  await expect(notice(page)).toBeVisible()
  await expectSound(page)
  await page.getByLabel('Your appeal').fill('They all asked me to write, and I have their letters.')
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByText('Your appeal was sent.')).toBeVisible()
  await expectSound(page)
  await logIn(page, tim)
  await expect(page.getByText(/^You appealed on /)).toBeVisible()
  await expectSound(page)

  await page.goto(BANS)
  await expect(page.getByText(tim.email).first()).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: `Answer the appeal of ${tim.email}` }).click()
  await expect(dialog(page, 'Answer Appeal').getByLabel('Answer')).toBeVisible()
  await expectSound(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `Unban ${tim.email}` }).click()
  await expect(dialog(page, 'Unban User').getByLabel('Reason')).toBeVisible()
  await expectSound(page)
  await page.keyboard.press('Escape')
  await page.goto(ACTIONS)
  await expect(form(page, 'Ban User')).toBeVisible()
  await expectSound(page)
  await page.getByLabel('Email, name or ID').fill('user-')
  await expect(page.getByText('More users match. Type more of the name or the address.')).toBeVisible()
  await expectSound(page)
  await page.getByLabel('Email, name or ID').fill(tim.username)
  await page.getByRole('button', { name: `Choose ${tim.email} to unban` }).click()
  await form(page, 'Ban User').getByLabel('User ID').fill(String(long.id))
  await expect(form(page, 'Ban User')).toContainText(long.name)
  await form(page, 'Ban User').getByRole('button', { name: 'Ban User' }).click()
  await expect(form(page, 'Ban User')).toContainText('This user is banned already')
  await expectSound(page)
})
