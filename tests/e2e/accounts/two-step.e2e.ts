import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { auth, WRONG_CODE } from '#contract/accounts/auth.ts'
import { APP_CODE_SECONDS, MISSING_CODE } from '#contract/accounts/two-step.ts'
import { call } from '../../support/client.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { systemMailOn } from '../../support/system-mail.ts'
import { codeOf, wrongCodeOf } from '../../support/two-step.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Two-step Sign-in' })
const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const password = (page: Page) => page.getByRole('textbox', { name: 'Password', exact: true })
const code = (page: Page) => page.getByRole('textbox', { name: 'Code', exact: true })
const recoveryCode = (page: Page) => page.getByRole('textbox', { name: 'Recovery code' })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const codesShown = (page: Page) => page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
const shown = (secret: string, steps = 0) => codeOf(secret, new Date(), steps)

/** The code before the present one, while the present one has time left: an older code is refused. */
async function codeBefore(secret: string): Promise<string> {
  const left = APP_CODE_SECONDS - ((Date.now() / 1000) % APP_CODE_SECONDS)
  if (left < 10) await setTimeout(left * 1000)
  return shown(secret, -1)
}

async function secretShown(page: Page): Promise<string> {
  const key = dialog(page).getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/)
  return (await key.innerText()).replaceAll(/\s/g, '')
}

async function logIn(page: Page, user: E2eUser): Promise<void> {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(user.email)
  await password(page).fill(user.password)
  await press(page, 'Login')
}

async function logOut(page: Page): Promise<void> {
  await press(page, 'User menu')
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/$/)
}

test('two-step sign-in is set up, asked for, and switched off', async ({ page, howl }) => {
  const user = await signedIn(page)
  const other = await call(howl.url, auth.login, { body: { email: user.email, password: user.password } })
  await page.goto('/profile')
  await expect(card(page).getByText('Off', { exact: true })).toBeVisible()
  await card(page).getByRole('button', { name: 'Set up' }).click()

  await expect(password(page)).toBeFocused()
  await inDialog(page, 'Continue').click()
  await expect(password(page)).toHaveAccessibleDescription('Please enter your password')
  await password(page).fill('not this one')
  await password(page).press('Enter')
  await expect(password(page)).toHaveAccessibleDescription('This password is not right')
  await expect(password(page)).toBeFocused()
  await password(page).fill(user.password)
  await password(page).press('Enter')

  await expect(dialog(page).getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await expect(code(page)).toBeFocused()
  const secret = await secretShown(page)
  await inDialog(page, 'Switch on').click()
  await expect(code(page)).toHaveAccessibleDescription(MISSING_CODE)
  await code(page).fill(wrongCodeOf(secret, new Date()))
  await inDialog(page, 'Switch on').click()
  await expect(code(page)).toHaveAccessibleDescription(WRONG_CODE)
  await expect(code(page)).toBeFocused()
  // The code before the present one, which is left for the log-in.
  await code(page).fill(await codeBefore(secret))
  await code(page).press('Enter')

  await expect(page.getByRole('dialog', { name: 'Two-step sign-in is on' })).toBeVisible()
  await expect(codesShown(page)).toHaveCount(10)
  const codes = await codesShown(page).allInnerTexts()
  const file = page.waitForEvent('download')
  await inDialog(page, 'Download').click()
  const download = await file
  expect(download.suggestedFilename()).toBe('howl-recovery-codes.txt')
  expect(await readFile(await download.path(), 'utf8')).toContain(`\n${codes.join('\n')}\n`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await inDialog(page, 'Copy').click()
  await expect(page.getByRole('status').getByText('Recovery codes copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))

  await expect(dialog(page)).toContainText('One other device stays signed in without a code.')
  const stays = () => call(howl.url, auth.me, { token: other.body.token })
  expect((await stays()).status).toBe(200)
  await inDialog(page, 'Sign out everywhere else').click()
  await expect.poll(async () => (await stays()).status).toBe(401)
  await inDialog(page, 'I have kept them').click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(card(page).getByText('On', { exact: true })).toBeVisible()
  await expect(card(page)).toContainText('10 of 10 recovery codes left.')
  await systemMailOn(howl.systemMail, user.email, 'Two-step sign-in is on')

  await logOut(page)
  await logIn(page, { ...user, password: 'not this one' })
  await expect(page.getByRole('alert').first()).toHaveText('Wrong username or email or password')
  await logIn(page, user)
  await expect(code(page)).toBeFocused()
  await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(code(page)).toHaveAttribute('inputmode', 'numeric')
  await press(page, 'Login')
  await expect(code(page)).toHaveAccessibleDescription(MISSING_CODE)
  await press(page, 'Back')
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(user.email)
  await expect(password(page)).toHaveValue(user.password)
  await press(page, 'Login')
  // As it is pasted from an app.
  const used = shown(secret)
  await code(page).fill(` ${used.slice(0, 3)} ${used.slice(3)}`)
  await code(page).press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)

  await logOut(page)
  await logIn(page, user)
  await code(page).fill(used)
  await press(page, 'Login')
  await expect(code(page)).toHaveAccessibleDescription(WRONG_CODE)
  await expect(code(page)).toBeFocused()
  await press(page, 'Use a recovery code')
  await expect(recoveryCode(page)).toBeFocused()
  await expect(recoveryCode(page)).toHaveAttribute('inputmode', 'text')
  await recoveryCode(page).fill(codes[4] ?? '')
  await press(page, 'Login')
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto('/profile')
  await expect(card(page)).toContainText('9 of 10 recovery codes left.')
  await card(page).getByRole('button', { name: 'New recovery codes' }).click()
  await password(page).fill(user.password)
  await press(page, 'Use a recovery code')
  await recoveryCode(page).fill(codes[4] ?? '')
  await inDialog(page, 'Make new codes').click()
  await expect(recoveryCode(page)).toHaveAccessibleDescription(WRONG_CODE)
  await recoveryCode(page).fill(codes[5] ?? '')
  await inDialog(page, 'Make new codes').click()
  await expect(codesShown(page)).toHaveCount(10)
  const newer = await codesShown(page).allInnerTexts()
  await inDialog(page, 'I have kept them').click()
  await expect(card(page)).toContainText('10 of 10 recovery codes left.')

  await card(page).getByRole('button', { name: 'Switch off' }).click()
  await password(page).fill('not this one')
  await press(page, 'Use a recovery code')
  await recoveryCode(page).fill(newer[0] ?? '')
  await inDialog(page, 'Switch off').click()
  await expect(password(page)).toHaveAccessibleDescription('This password is not right')
  await password(page).fill(user.password)
  await inDialog(page, 'Switch off').click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(card(page).getByText('Off', { exact: true })).toBeVisible()
  await logOut(page)
  await logIn(page, user)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the code that draws the QR code is loaded where it is shown; without it, the key is enough', async ({
  page,
}) => {
  const user = await signedIn(page)
  const scripts: string[] = []
  // Others may be fetched ahead meanwhile. That of the library is called like its folder.
  const drawing = () => scripts.filter((url) => /\/dist-[^/]*\.js$/u.test(url))
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  await page.route(/\/dist-[^/]*\.js$/, (route) => route.abort())
  await page.goto('/profile')
  await card(page).getByRole('button', { name: 'Set up' }).click()
  await password(page).fill(user.password)
  await expect(inDialog(page, 'Continue')).toBeVisible()
  expect(drawing()).toEqual([])
  await inDialog(page, 'Continue').click()
  await expect(dialog(page)).toContainText('Type this key into your app:')
  await expect.poll(() => drawing().length).toBeGreaterThan(0)
  await expect(dialog(page).getByRole('img')).toHaveCount(0)
  await expect(inDialog(page, 'Switch on')).toBeVisible()
})
