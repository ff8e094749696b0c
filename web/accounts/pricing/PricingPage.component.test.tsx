import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { emailConfirmation } from '#contract/accounts/email-confirmation.ts'
import { referrals } from '#contract/operations/referrals.ts'
import { auth } from '#contract/accounts/auth.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const INVITE = '/pricing?tab=invite'
const LINK = 'https://howl.example/?ref=WOLF1234'

const plansTab = page.getByRole('tab', { name: 'Pricing Plans', exact: true })
const inviteTab = page.getByRole('tab', { name: 'Invite Friends & Earn Credits', exact: true })
const main = page.getByRole('main')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const friendsEmail = page.getByRole('textbox', { name: 'Friend’s email' })
const message = page.getByRole('textbox', { name: 'Personal message' })

const apiOfInviter = (): FakeApi =>
  fakeApi()
    .answers(referrals.stats)
    .answers(referrals.balance)
    .answers(referrals.myCode, { code: 'WOLF1234', link: LINK })

/** Replaces a part of `navigator` for the current test. */
function onNavigator(name: 'share' | 'clipboard', value: unknown): void {
  Object.defineProperty(navigator, name, { configurable: true, value })
  onTestFinished(() => void Reflect.deleteProperty(navigator, name))
}

test('the tabs answer to arrow keys and stand in the address', async () => {
  fakeApi()
  openPage('/pricing', { visitor: true })
  await expect.element(plansTab).toBeVisible()
  plansTab.element().focus()
  for (const [key, chosen, query] of [
    ['ArrowRight', inviteTab, '?tab=invite'],
    ['ArrowRight', plansTab, ''],
    ['ArrowLeft', inviteTab, '?tab=invite'],
    ['Home', plansTab, ''],
    ['End', inviteTab, '?tab=invite'],
  ] as const) {
    await userEvent.keyboard(`{${key}}`)
    await expect.element(chosen).toHaveFocus()
    await expect.element(chosen).toHaveAttribute('aria-selected', 'true')
    await expect.poll(() => location.search).toBe(query)
  }
  await plansTab.click()
  await expect.element(main.getByRole('heading', { name: 'Professional' })).toBeVisible()
})

test.each([
  [INVITE, inviteTab],
  ['/pricing?tab=nonsense', plansTab],
])('the tab of %s is the one in the address, or the first', async (address, chosen) => {
  fakeApi()
  openPage(address, { visitor: true })
  await expect.element(chosen).toHaveAttribute('aria-selected', 'true')
})

test('what could not be sent says so, and keeps what was typed', async () => {
  const api = apiOfInviter().fails(referrals.invite)
  openPage(INVITE)
  await friendsEmail.fill('kim@people.example')
  await message.fill('Come along')
  await button('Send invitation').click()
  await expect.element(main.getByRole('alert')).toBeVisible()
  await expect.element(friendsEmail).toHaveValue('kim@people.example')
  await expect.element(message).toHaveValue('Come along')
  expect(api.calls(referrals.invite)).toHaveLength(1)
})

test('an address that is missing or wrong is said at its field', async () => {
  const api = apiOfInviter()
  openPage(INVITE)
  await button('Send invitation').click()
  await expect.element(main.getByText('Please enter an email address')).toBeVisible()
  await expect.element(friendsEmail).toHaveFocus()
  await friendsEmail.fill('kim@')
  await button('Send invitation').click()
  await expect.element(main.getByText('Please enter a valid email address')).toBeVisible()
  await message.fill('x'.repeat(250))
  await expect.element(message).toHaveValue('x'.repeat(200))
  await expect.element(main.getByText('200/200')).toBeVisible()
  expect(api.calls(referrals.invite)).toEqual([])
})

test('the code is copied and shared', async () => {
  const written: unknown[] = []
  onNavigator('share', async (data: unknown) => void written.push(data))
  onNavigator('clipboard', { writeText: async (text: string) => void written.push(text) })
  apiOfInviter()
  openPage(INVITE)
  await expect.element(main.getByText(LINK)).toBeVisible()
  await button('Copy code').click()
  await expect.element(toast('Referral code copied to clipboard!')).toBeVisible()
  await button('Share').click()
  const text = 'Sign up for Howl with my code WOLF1234: we both get 50 credits.'
  await expect.poll(() => written).toEqual(['WOLF1234', { title: 'Howl', text, url: LINK }])
  onNavigator('clipboard', { writeText: () => Promise.reject(new Error('denied')) })
  await button('Copy code').click()
  await expect.element(toast('Failed to copy referral code')).toBeVisible()
})

test('what cannot be loaded says so, and is tried again', async () => {
  const api = fakeApi()
    .refuses(referrals.stats, 500, '')
    .refuses(referrals.balance, 500, '')
    .refuses(referrals.myCode, 500, '')
  openPage(INVITE)
  for (const what of ['Your credits', 'Your code', 'Your invitations'])
    await expect.element(main.getByText(`${what} could not be loaded.`)).toBeVisible()
  api.answers(referrals.stats).answers(referrals.balance).answers(referrals.myCode, { code: 'W', link: LINK })
  for (let left = button('Try again').length; left > 0; left = button('Try again').length) {
    await button('Try again').first().click()
    await expect.poll(() => button('Try again').length).toBeLessThan(left)
  }
  await expect.element(main.getByText('No invitations yet')).toBeVisible()
  await expect.element(button('Copy code')).toBeVisible()
})

test('a confirmation link that is not whole says so', async () => {
  fakeApi()
  openPage('/confirm-email', { visitor: true })
  await expect
    .element(main.getByRole('alert').first())
    .toHaveTextContent('This link is incomplete. Please open the one in the email again.')
})

test('a confirmation that did not reach the server is tried again', async () => {
  const api = fakeApi().fails(emailConfirmation.confirm)
  openPage('/confirm-email?token=of-a-link', { visitor: true })
  await button('Confirm without logging in').click()
  await expect.element(button('Try again')).toBeVisible()
  api.answers(emailConfirmation.confirm, { email: 'ada@howl.example' })
  await button('Try again').click()
  await expect.element(main.getByText('Thank you.')).toBeVisible()
})

test('the plans tell a visitor what they cost, what they offer, and what people ask', async () => {
  fakeApi()
  openPage('/pricing', { visitor: true })
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Pricing')
  await expect.poll(() => document.title).toBe('Pricing · Howl')
  await expect.element(main).toMatchTextContent('Start free. Pay when you need more.')
  const panel = page.getByRole('tabpanel', { name: 'Pricing Plans' })
  for (const [name, price, requests, accounts] of [
    ['Free', '$0', '5 AI requests a day', '1 email account'],
    ['Starter', '$29a month', '100 AI requests a day', '3 email accounts'],
    ['Professional', '$99a month', '500 AI requests a day', '10 email accounts'],
    ['Enterprise', 'Custom', 'Unlimited AI requests', 'Unlimited email accounts'],
  ] as const) {
    const plan = panel.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
    for (const said of [price, requests, accounts]) await expect.element(plan).toMatchTextContent(said)
    const soon = plan.getByRole('button', { name: 'Soon..' })
    expect(soon.length).toBe(name === 'Free' ? 0 : 1)
    if (name !== 'Free') await expect.element(soon).toBeDisabled()
  }
  await expect.element(panel.getByText('Your plan')).not.toBeInTheDocument()
  const asked = panel.getByRole('region', { name: 'FAQ' })
  await expect
    .element(asked)
    .toMatchTextContent('Is there a free trial?Yes. Every paid plan begins with a 14-day trial.')
  await expect.element(asked).toMatchTextContent('30-day money-back guarantee')
  await expectSound()
  await panel.getByRole('link', { name: 'Start with Free' }).click()
  await expect.element(page.getByRole('dialog').getByRole('textbox', { name: 'Full name' })).toHaveFocus()
})

test('the plans know who is signed in', async () => {
  const name = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(3).trim()
  fakeApi().answers(auth.me, { ...blankReply(auth.me), id: 1, name, full_name: name, pricing_tier: 'free' })
  openPage('/pricing')
  await expect.element(main).toMatchTextContent(`Welcome, ${name}`)
  const own = main.getByRole('listitem').filter({ has: page.getByText('Your plan') })
  await expect.element(own).toMatchTextContent('$0')
  for (const link of ['Start with Free', 'Sign In'])
    await expect.element(main.getByRole('link', { name: link })).not.toBeInTheDocument()
  await expect.element(main.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect.element(navigation.getByRole('link', { name: 'Pricing' })).toHaveAttribute('href', '/pricing')
  await expectSound()
})

test('each invitation says what became of it', async () => {
  const friend = { credits_earned: 0, status: 'sent' as const, created_at: '2026-11-20T10:00:00.000Z' }
  apiOfInviter().answers(referrals.stats, {
    ...blankReply(referrals.stats),
    recent_activity: [false, true].map((failed) => ({
      ...friend,
      email: `${'long-'.repeat(11)}${failed}@people.example`,
      failed,
    })),
  })
  openPage(INVITE)
  const activity = page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem')
  await expect.element(activity.first()).toMatchTextContent('Sent')
  await expect.element(activity.last()).toMatchTextContent('Not delivered')
  await expectSound()
})

test('the programme is told to visitors', async () => {
  fakeApi()
  openPage(INVITE, { visitor: true })
  await expect.element(main).toMatchTextContent('50 credits for you, 50 for your friend')
  await expect.element(main).toMatchTextContent('Please sign in to invite friends.')
  await expect.element(friendsEmail).not.toBeInTheDocument()
  await expectSound()
})
