import type { Page } from '@playwright/test'
import { auth } from '#contract/accounts/auth.ts'
import { referrals } from '#contract/operations/referrals.ts'
import { call } from '../../support/client.ts'
import { type E2eUser, expect, newUser, signedIn, test } from '../../support/e2e.ts'
import type { SmtpSink } from '../../support/smtp-sink.ts'
import { confirmationLink, newestSystemMail } from '../../support/system-mail.ts'
import { toast } from '../../support/toast.ts'

const INVITE = '/pricing?tab=invite'
const main = (page: Page) => page.getByRole('main')
const confirmAddress = (page: Page) => main(page).getByRole('button', { name: 'Confirm without logging in' })
const friendsEmail = (page: Page) => page.getByRole('textbox', { name: 'Friend’s email' })
const message = (page: Page) => page.getByRole('textbox', { name: 'Personal message' })
const send = (page: Page) => page.getByRole('button', { name: 'Send invitation' })
const activity = (page: Page) => page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem')

let serial = 0
const stranger = () => `friend-${Date.now().toString(36)}-${(serial += 1)}`

/** The value and the note of a figure. */
const figure = (page: Page, label: string) =>
  page
    .getByRole('region', { name: 'Your credits' })
    .locator('dl')
    .filter({ has: page.getByText(label, { exact: true }) })
    .getByRole('definition')

async function codeOf(howl: { url: string }, { token }: E2eUser): Promise<string> {
  return (await call(howl.url, referrals.myCode, { token })).body.code
}

async function invitationLink(sink: SmtpSink, address: string): Promise<string> {
  const { text } = await newestSystemMail(sink, address)
  return /https?:\/\/\S+invitation=[\w-]+/.exec(text)?.[0] ?? ''
}

/** Signs up in the open wizard. The referral code stays as it is filled in. */
async function answerWizard(page: Page, username: string, email: string): Promise<void> {
  const wizard = page.getByRole('dialog')
  const answers: ReadonlyArray<readonly [string, string | null]> = [
    ['Full name', 'Kim Berg'],
    ['Referral code', null],
    ['Work email', email],
    ['Username', username],
    ['Password', 'correct horse battery'],
    ['Confirm password', 'correct horse battery'],
    ['Company name', 'Berg Ltd'],
    ['Job title or role', 'Owner'],
    ['Industry', 'Bakery'],
    ['Phone number', ''],
    ['Number of contacts to manage', '100-500'],
    ['Purpose of using the tool', 'sales'],
  ]
  for (const [label, value] of answers) {
    const field = wizard.getByRole('textbox', { name: label, exact: true })
    await expect(field).toBeFocused()
    if (value !== null) await field.fill(value)
    await field.press('Enter')
  }
  await wizard.getByRole('checkbox').check()
  await wizard.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL(/\/login$/)
}

async function logIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
  await page.keyboard.press('Enter')
}

test('a visitor reads what the programme is, and comes back to it after the log-in', async ({ page }) => {
  const user = await newUser(page)
  await page.goto(INVITE)
  await expect(main(page)).toContainText('50 credits for you, 50 for your friend')
  await expect(main(page)).toContainText('Please sign in to invite friends.')
  await expect(friendsEmail(page)).toBeHidden()
  await main(page).getByRole('link', { name: 'Get Started' }).first().click()
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Full name' })).toBeFocused()
  await page.goto(INVITE)
  await main(page).getByRole('link', { name: 'Sign In' }).first().click()
  await page.getByRole('textbox', { name: 'Email' }).fill(user.email)
  await logIn(page)
  await expect(page).toHaveURL(/\/pricing\?tab=invite$/)
  await expect(friendsEmail(page)).toBeVisible()
})

test('an invitation leads a friend to a sign-up, and both to their credits', async ({ page, howl }) => {
  const ada = await signedIn(page, { name: 'Ada Muster' })
  const code = await codeOf(howl, ada)
  await page.goto(INVITE)
  await expect(main(page)).toContainText('No invitations yet')
  await expect(figure(page, 'Available credits')).toHaveText(['0', 'To spend on AI requests'])

  await friendsEmail(page).fill(ada.email)
  await send(page).click()
  await expect(main(page)).toContainText('This is your own address. Please enter the address of a friend.')
  await message(page).fill('Come & see <b>this</b>')
  await expect(main(page)).toContainText('22/200')

  const username = stranger()
  const address = `${username}@people.example`
  await friendsEmail(page).fill(address)
  await friendsEmail(page).press('Enter')
  await expect(toast(page, 'Invitation sent! You earned 0 credits!')).toBeVisible()
  await expect(toast(page, '50 follow when your friend signs up.')).toBeVisible()
  await expect(friendsEmail(page)).toHaveValue('')
  await expect(friendsEmail(page)).toBeFocused()
  await expect(message(page)).toHaveValue('')
  await expect(activity(page)).toHaveText([new RegExp(`^${address}Sent`)])
  await friendsEmail(page).fill(address)
  await send(page).click()
  await expect(main(page)).toContainText(
    'You invited this address less than a day ago. Please wait before you invite it again.',
  )

  const mail = await newestSystemMail(howl.systemMail, address)
  expect(mail.subject).toBe('Ada Muster invites you to Howl')
  expect(mail.text).toContain('Ada Muster writes:\n\nCome & see <b>this</b>')
  const friend = await page.context().browser()?.newPage({ baseURL: howl.url, reducedMotion: 'reduce' })
  if (friend === undefined) throw new Error('There is no second browser')
  await friend.goto(await invitationLink(howl.systemMail, address))
  await expect(activity(page)).toContainText(['Opened'])
  // What is shared from the address bar is no personal invitation.
  await expect(friend).toHaveURL(`${howl.url}/?ref=${code}`)
  await friend.getByRole('button', { name: 'Get Started Free' }).first().click()
  const wizard = friend.getByRole('dialog')
  await wizard.getByRole('textbox', { name: 'Full name' }).fill('Kim Berg')
  await wizard.getByRole('button', { name: 'Next' }).click()
  await expect(wizard.getByRole('textbox', { name: 'Referral code' })).toHaveValue(code)
  await wizard.getByRole('button', { name: 'Previous' }).click()
  await answerWizard(friend, username, address)

  await expect(activity(page)).toHaveText([new RegExp(`^${address}\\+50 creditsJoined!`)])
  await expect(figure(page, 'Available credits')).toHaveText([
    '50',
    '50 of them once the new account’s address is confirmed',
  ])
  await expect(figure(page, 'Credits earned')).toHaveText(['50', 'In all'])
  await expect(figure(page, 'Friends joined')).toHaveText(['1', 'With your code'])
  await expect(figure(page, 'Invitations')).toHaveText(['1', '100% of them joined'])

  await logIn(friend)
  await expect(friend).toHaveURL(/\/dashboard$/)
  await friend.goto(await confirmationLink(howl.systemMail, address))
  await expect(friend.getByRole('status').getByText(address)).toBeVisible()
  await expect(figure(page, 'Available credits')).toHaveText(['50', 'To spend on AI requests'])
  await friend.getByRole('main').getByRole('link', { name: 'Dashboard' }).click()
  await friend.goto(INVITE)
  await expect(figure(friend, 'Available credits')).toHaveText(['50', 'To spend on AI requests'])
  await friend.close()
})

test('a shared link fills in the code, even when its friend closes the page in between', async ({
  page,
  howl,
}) => {
  const ada = await newUser(page)
  const code = await codeOf(howl, ada)
  await page.goto(`/?ref=${code.toLowerCase()}`)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Get Started Free' }).click()
  const username = stranger()
  await answerWizard(page, username, `${username}@people.example`)
  const { body } = await call(howl.url, referrals.stats, { token: ada.token })
  expect(body).toMatchObject({ total_invitations: 0, successful_signups: 1, total_credits_earned: 50 })
  expect(body.recent_activity[0]?.email).toBe('f…@people.example')
})

test('an unconfirmed address is told, and gets another link', async ({ page, howl }) => {
  const user = await signedIn(page)
  const first = await confirmationLink(howl.systemMail, user.email)
  await page.goto(INVITE)
  await expect(main(page)).toContainText(
    `Please confirm your email address: we have sent a link to ${user.email}.`,
  )
  const again = page.getByRole('button', { name: 'Send the link again' })
  await again.click()
  await expect(toast(page, 'The link has been sent. Please look into your mailbox.')).toBeVisible()
  await page.goto(first)
  await expect(main(page).getByRole('alert')).toHaveText(
    'This link is not valid any more. Please use the newest one, or ask for another.',
  )
  await page.getByRole('link', { name: 'Ask for another link' }).click()
  await expect(again).toBeVisible()
  await page.goto(await confirmationLink(howl.systemMail, user.email, 2))
  await expect(page).toHaveTitle('Confirm your email address · Howl')
  await expect(main(page)).toContainText(`Thank you. ${user.email} is confirmed.`)
  await page.goto(INVITE)
  await expect(friendsEmail(page)).toBeVisible()
  await expect(again).toBeHidden()
})

test('opening a confirmation link confirms nothing; followed signed out it confirms after the log-in', async ({
  page,
  howl,
}) => {
  const user = await newUser(page)
  let posts = 0
  page.on('request', (request) => (posts += request.method() === 'POST' ? 1 : 0))
  await page.goto(await confirmationLink(howl.systemMail, user.email))
  await expect(confirmAddress(page)).toBeVisible()
  await expect(main(page)).toContainText(
    'Didn’t sign up? Then close this page: you don’t need to do anything.',
  )
  expect(posts).toBe(0)
  expect((await call(howl.url, auth.me, { token: user.token })).body.email_confirmed).toBe(false)
  await main(page).getByRole('link', { name: 'Log in and confirm' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(user.email)
  await logIn(page)
  await expect(main(page)).toContainText(`Thank you. ${user.email} is confirmed.`)
})

test('the confirmation link of another account asks first', async ({ page, howl }) => {
  const friend = await newUser(page)
  const link = await confirmationLink(howl.systemMail, friend.email)
  await signedIn(page)
  await page.goto(link)
  await expect(main(page).getByRole('alert')).toHaveText(
    'This link belongs to another account than the one you’re logged in to.',
  )
  const confirmed = async () => (await call(howl.url, auth.me, { token: friend.token })).body.email_confirmed
  expect(await confirmed()).toBe(false)
  await page.getByRole('button', { name: 'Confirm the address' }).click()
  await expect(main(page)).toContainText(`Thank you. ${friend.email} is confirmed.`)
  expect(await confirmed()).toBe(true)
})
