import { expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { newAccounts } from '#contract/accounts/new-accounts.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const ANSWERS: Record<string, string> = {
  'Full name': 'Ada Muster',
  'Referral code': '',
  'Work email': 'ada@howl.example',
  Username: 'ada',
  Password: 'correct horse battery',
  'Confirm password': 'correct horse battery',
  'Company name': 'Muster Ltd',
  'Job title or role': 'Owner',
  Industry: 'Bakery',
  'Phone number': '',
  'Number of contacts to manage': '100-500',
  'Purpose of using the tool': 'sales',
}
const STEPS = Object.keys(ANSWERS)

const wizard = page.getByRole('dialog')
const button = (name: string) => wizard.getByRole('button', { name, exact: true })
const field = (label: string): Locator => wizard.getByRole('textbox', { name: label })

/** Nobody has taken anything. */
const openApi = (): FakeApi =>
  fakeApi().answers(newAccounts.checkAvailability, { available: true, why: null })

async function openWizard(): Promise<void> {
  await page.getByRole('button', { name: 'Get Started Free' }).first().click()
  await expect.element(wizard.getByRole('progressbar')).toBeVisible()
}

/** Answers the steps from `first` to `last`, counted from 1, with Enter. */
async function answer(first: number, last: number, own: Record<string, string> = {}): Promise<void> {
  for (let step = first; step <= last; step++) {
    const label = STEPS[step - 1] ?? ''
    await expect.element(wizard).toMatchTextContent(`Step ${step} of 13`)
    await expect.element(field(label)).toHaveFocus()
    await field(label).fill(own[label] ?? ANSWERS[label] ?? '')
    await userEvent.keyboard('{Enter}')
  }
}

test('the wizard says what is wrong and goes on only when it is right', async () => {
  openApi()
  openPage('/', { visitor: true })
  await openWizard()
  await expect.element(button('Previous')).toBeDisabled()

  await button('Next').click()
  await expect.element(wizard).toMatchTextContent('Please enter your full name')
  await expect.element(field('Full name')).toHaveFocus()
  await expectSound()
  await answer(1, 2)

  await field('Work email').fill('ada.howl.example')
  await button('Next').click()
  await expect.element(wizard).toMatchTextContent('Please enter a valid email address')
  await expect.element(wizard).toMatchTextContent('Step 3 of 13')
  await answer(3, 3)

  await field('Username').fill('ad')
  await button('Next').click()
  await expect.element(wizard).toMatchTextContent('Must be at least 3 characters long')
  await answer(4, 5)

  await field('Confirm password').fill('something else')
  await button('Next').click()
  await expect.element(wizard).toMatchTextContent('Passwords do not match')
  await answer(6, 12)

  await button('Create Account').click()
  await expect
    .element(wizard)
    .toMatchTextContent('Please agree to the data processing and the privacy policy')
  await button('Previous').click()
  await expect.element(field('Purpose of using the tool')).toHaveValue('sales')
})

test('a closed wizard keeps what was typed, but no password', async () => {
  openApi()
  openPage('/', { visitor: true })
  await openWizard()
  await answer(1, 7)
  await expect.element(wizard).toMatchTextContent('Step 8 of 13')
  await userEvent.keyboard('{Escape}')
  await expect.element(wizard).not.toBeInTheDocument()

  await openWizard()
  await expect.element(wizard).toMatchTextContent('Step 5 of 13')
  await expect.element(field('Password')).toHaveValue('')
  await button('Previous').click()
  await expect.element(field('Username')).toHaveValue('ada')
  const kept = JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])
  expect(kept).toContain('ada@howl.example')
  expect(kept).not.toContain('correct horse')
})

test('an address or user name that is taken is said at its own step', async () => {
  const [email, username] = [
    'Email already exists. Please use a different email.',
    'This username is taken. Please choose another.',
  ]
  openApi().answers(newAccounts.checkAvailability, ({ body }) => {
    const why = body?.email === 'taken@howl.example' ? email : body?.username === 'taken' ? username : null
    return { available: why === null, why }
  })
  openPage('/', { visitor: true })
  await openWizard()
  await answer(1, 3, { 'Work email': 'taken@howl.example' })
  await expect.element(wizard).toMatchTextContent(email)
  await expect.element(wizard).toMatchTextContent('Step 3 of 13')
  await expect.element(field('Work email')).toHaveFocus()
  await answer(3, 4, { Username: 'taken' })
  await expect.element(wizard).toMatchTextContent(username)
  await expect.element(wizard).toMatchTextContent('Step 4 of 13')
  await answer(4, 4)
  await expect.element(wizard).toMatchTextContent('Step 5 of 13')
})

test('the wizard goes on where nobody can say what is taken', async () => {
  fakeApi().fails(newAccounts.checkAvailability)
  openPage('/', { visitor: true })
  await openWizard()
  await answer(1, 4)
  await expect.element(wizard).toMatchTextContent('Step 5 of 13')
})

test('a password that is easily guessed leads back to its step, and says why', async () => {
  const why = 'This password is made of your name. Please choose another.'
  openApi().refuses(newAccounts.register, 400, why, { code: 'INVALID_INPUT', fields: { password: why } })
  openPage('/', { visitor: true })
  await openWizard()
  await answer(1, 12)
  await wizard.getByRole('checkbox').click()
  await button('Create Account').click()
  await expect.element(wizard).toMatchTextContent('Step 5 of 13')
  await expect.element(wizard).toMatchTextContent(why)
  await expect.element(field('Password')).toHaveFocus()
  await answer(5, 6, { Password: 'vortex-Lampe-93', 'Confirm password': 'vortex-Lampe-93' })
  await expect.element(wizard).toMatchTextContent('Step 13 of 13')
})
