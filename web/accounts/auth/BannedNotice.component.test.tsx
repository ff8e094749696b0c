import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { auth } from '#contract/accounts/auth.ts'
import { bans } from '#contract/operations/bans.ts'
import type { ShownBan } from '#contract/platform/errors.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const BAN: ShownBan = {
  reason: 'spam',
  description: 'Mailed a bought list',
  expires_at: '2026-12-04T09:30:00.000Z',
  appeal_submitted_at: null,
  appeal_answer: null,
}

const main = page.getByRole('main')
const appeal = page.getByLabelText('Your appeal')
const button = (name: string) => page.getByRole('button', { name, exact: true })

async function logIn(): Promise<void> {
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
  await button('Login').click()
}

async function openBanned(ban: ShownBan, appealToken?: string): Promise<FakeApi> {
  const token = appealToken === undefined ? {} : { appeal_token: appealToken }
  const api = fakeApi().refuses(auth.login, 403, 'This account is banned.', { code: 'BANNED', ban, ...token })
  openPage('/login', { visitor: true })
  await page.getByRole('textbox', { name: 'Email' }).fill('tim@howl.example')
  await logIn()
  await expect.element(page.getByRole('heading', { name: 'This account is banned' })).toHaveFocus()
  return api
}

test('a banned user reads why and until when, and appeals; what was typed outlives a failure and the way back', async () => {
  const api = (await openBanned(BAN, 'a-token')).fails(bans.appeal)
  await expect.element(main).toMatchTextContent('Spam')
  await expect.element(main).toMatchTextContent('Mailed a bought list')
  await expect.element(main).toMatchTextContent(/UntilFriday, December 4, 2026 at \d\d:\d\d/)
  await button('Send appeal').click()
  await expect.element(appeal).toHaveAccessibleDescription('Please write why the ban should end')
  await expectSound()
  await appeal.fill('They all asked me to write')
  await button('Send appeal').click()
  await expect.element(page.getByText('Your appeal could not be sent. Please try again.')).toBeVisible()
  await button('Back to login').click()
  await logIn()
  await expect.element(appeal).toHaveValue('They all asked me to write')
  api.answers(bans.appeal, { ok: true })
  await button('Send appeal').click()
  await expect
    .element(page.getByText('Your appeal was sent. An administrator answers it by email.'))
    .toBeVisible()
  await expectSound()
  expect(api.calls(bans.appeal).at(-1)?.body).toEqual({
    appeal_token: 'a-token',
    message: 'They all asked me to write',
  })
})

test('an appeal that waits for its answer is told, and there is none to write', async () => {
  await openBanned({ ...BAN, expires_at: null, appeal_submitted_at: '2026-11-20T10:00:00.000Z' })
  await expect.element(main).toMatchTextContent('Permanently')
  await expect.element(page.getByText(/^You appealed on Friday, November 20, 2026/)).toBeVisible()
  await expect.element(appeal).not.toBeInTheDocument()
  await expectSound()
})

test('with two-step sign-in the ban is shown after the code', async () => {
  const api = fakeApi().refuses(auth.login, 400, 'Code', { code: 'TOTP_REQUIRED' })
  openPage('/login', { visitor: true })
  await page.getByRole('textbox', { name: 'Email' }).fill('tim@howl.example')
  await logIn()
  const code = page.getByRole('textbox', { name: 'Code' })
  await expect.element(code).toHaveFocus()
  api.refuses(auth.login, 403, 'This account is banned.', { code: 'BANNED', ban: BAN })
  await code.fill('123456')
  await button('Login').click()
  await expect.element(page.getByRole('heading', { name: 'This account is banned' })).toHaveFocus()
})
