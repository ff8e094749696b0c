import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { auth } from '#contract/accounts/auth.ts'
import { call } from '../../support/client.ts'
import { expect, signedIn, test } from '../../support/e2e.ts'

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3E5BDB' } })
    .jpeg()
    .toBuffer()

test('a profile image is chosen, shown in the menu, refused in words, removed and brought back', async ({
  page,
}) => {
  await signedIn(page)
  await page.goto('/profile')
  const about = region(page, 'Profile Information')
  const file = about.getByLabel('Image file')
  const menu = page.getByRole('button', { name: 'User menu' })
  await expect(about.getByRole('button', { name: 'Choose image' })).toBeVisible()

  await file.setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await image(1200, 800) })
  await expect(about.locator('img')).toHaveAttribute('src', /^data:image\/webp/)
  await expect(menu.locator('img')).toHaveAttribute('src', /^data:image\/webp/)
  expect(
    await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage)),
  ).not.toContain('data:image')

  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('<html>') })
  await expect(about.getByRole('alert')).toHaveText('Please upload an image')
  await expect(about.locator('img')).toBeVisible()

  await about.getByRole('button', { name: 'Remove image' }).click()
  await expect(about.locator('img')).toHaveCount(0)
  await expect(menu.locator('img')).toHaveCount(0)
  await expect(about.getByRole('button', { name: 'Choose image' })).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(menu.locator('img')).toBeVisible()
})

test('a link from before links had rules holds up no other change', async ({ page }) => {
  await page.route('**/api/v1/auth/me', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), social_link: 'mailto:ana@own.example' } })
  })
  await signedIn(page)
  await page.goto('/profile')
  const about = region(page, 'Profile Information')
  await expect(about.getByLabel('Social link')).toHaveValue('mailto:ana@own.example')
  await about.getByLabel('Full name').fill('Ana Renamed')
  const saved = page.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().includes('profile'),
  )
  await about.getByRole('button', { name: 'Save' }).click()
  expect((await saved).status()).toBe(200)
  await expect(about.getByText('Please enter a link that begins with https://')).toHaveCount(0)
  await page.unrouteAll({ behavior: 'wait' })
})

test('devices come and go by themselves; one is signed out, then all others', async ({ page, howl }) => {
  const user = await signedIn(page)
  await page.goto('/profile')
  const card = region(page, 'Signed-in Devices')
  const rows = card.getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('This device')
  await expect(card.getByRole('button')).toHaveCount(0)

  const logIn = async (userAgent: string) => {
    const { body } = await call(howl.url, auth.login, {
      body: { email: user.email, password: user.password },
      headers: { 'User-Agent': userAgent },
    })
    return body.token
  }
  const isIn = async (token: string) => (await call(howl.url, auth.me, { token })).status === 200
  const firefox = await logIn('Mozilla/5.0 (Windows NT 10.0; rv:143.0) Gecko/20100101 Firefox/143.0')
  await expect(rows.filter({ hasText: 'Firefox on Windows' })).toContainText('127.0.0.1')

  await card.getByRole('button', { name: 'Sign out Firefox on Windows' }).click()
  const one = page.getByRole('dialog', { name: 'Sign out Firefox on Windows?' })
  await one.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(rows).toHaveCount(1)
  expect(await isIn(firefox)).toBe(false)

  const [curl, wget] = [await logIn('curl/8.14'), await logIn('Wget/1.25')]
  await expect(rows).toHaveCount(3)
  await card.getByRole('button', { name: 'Sign out everywhere else' }).click()
  const others = page.getByRole('dialog', { name: 'Sign out everywhere else?' })
  await expect(others).toContainText('2 other devices are signed out at once.')
  await others.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(rows).toHaveCount(1)
  expect([await isIn(curl), await isIn(wget), await isIn(user.token)]).toEqual([false, false, true])
})

test('follow-ups are switched on, with days and hour, and lead to who is next', async ({ page }) => {
  await signedIn(page)
  await page.goto('/profile')
  const card = region(page, 'Auto Follow-ups')
  await expect(card.getByText('Off', { exact: true })).toBeVisible()
  await expect(card).toContainText('Stops when they reply, unsubscribe or meet you.')
  await expect(card.getByRole('link', { name: 'See who is next' })).toHaveAttribute(
    'href',
    '/outreach/follow-ups',
  )
  await expect(card).toContainText('Never')
  const days = card.getByRole('textbox', { name: 'Days' })
  const save = card.getByRole('button', { name: 'Save follow-ups' })
  await card.getByRole('switch').check()
  await days.fill('61')
  await save.click()
  await expect(days).toHaveAccessibleDescription('From 1 to 60 days')
  await days.fill('30')
  await card.getByRole('combobox', { name: 'Hour' }).selectOption('23')
  await save.click()
  await expect(card.getByText('On', { exact: true })).toBeVisible()
  await page.reload()
  await expect(days).toHaveValue('30')
  await expect(card.getByRole('combobox', { name: 'Hour' })).toHaveValue('23')
  await expect(card.getByRole('switch')).toBeChecked()
})
