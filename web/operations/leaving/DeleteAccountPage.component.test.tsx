import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { heldMails } from '#contract/mail/held-mail.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const dialog = page.getByRole('dialog', { name: 'Tell us why you are leaving' })
const button = (name: string) => dialog.getByRole('button', { name, exact: true })
const radio = (name: string) => dialog.getByRole('radio', { name, exact: true })
const field = (label: string) => dialog.getByLabelText(label)
const remove = page.getByRole('main').getByRole('button', { name: 'Delete Account' })
const fault = dialog.getByText(/^Please (select|specify|provide)/)
const atStep = (step: number) => expect.element(dialog.getByText(`Step ${step} of 4`)).toBeVisible()

async function goOn(steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) await button('Next').click()
}

const apiOfLeaving = (): FakeApi =>
  fakeApi()
    .answers(leaving.giveFeedback, { ok: true })
    .answers(leaving.deleteAccount, { ...blankReply(leaving.deleteAccount), ok: true })

async function openDialog(): Promise<FakeApi> {
  const api = apiOfLeaving()
  openPage('/delete-account')
  await remove.click()
  await atStep(1)
  return api
}

/** Answers what must be answered; ends at the last step. */
async function answerAll(): Promise<void> {
  await radio('Pricing').click()
  await goOn(1)
  await radio('4 Good').click()
  await goOn(1)
  await field('Details').fill('Too expensive for us')
  await goOn(1)
  await atStep(4)
}

const sent = (api: FakeApi) => [
  api.calls(leaving.giveFeedback).length,
  api.calls(leaving.deleteAccount).length,
]
const isOut = () =>
  expect.element(page.getByRole('button', { name: 'Get Started Free' }).first()).toBeVisible()

test('the page warns of what is removed', async () => {
  fakeApi()
  openPage('/delete-account')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Delete Account' })).toBeVisible()
  await expect.element(page.getByText('Your data will be permanently removed')).toBeVisible()
  await expect.element(page.getByText('contacts, tags and imported files')).toBeVisible()
  await expect.poll(() => document.title).toMatch(/Delete Account/)
})

test('visitors have no account to delete', async () => {
  fakeApi()
  openPage('/delete-account', { visitor: true })
  await isOut()
  await expect.poll(() => location.pathname).toBe('/')
})

test('four steps ask for everything, keep it on the way back, and look sound', async () => {
  const api = await openDialog()
  await expect.element(button('Previous')).toBeDisabled()
  await expect.element(dialog.getByRole('progressbar')).toHaveAttribute('value', '1')
  for (const name of ['Pricing', 'Features', 'Support', 'Usability', 'Performance', 'Other'])
    await expect.element(radio(name)).toBeVisible()
  await expect.element(field('Your reason')).not.toBeInTheDocument()
  await radio('Other').click()
  await field('Your reason').fill('We merged')
  await expectSound()
  await goOn(1)
  await atStep(2)
  for (const name of ['1 Very Poor', '2 Poor', '3 Average', '4 Good', '5 Excellent'])
    await expect.element(radio(name)).toBeVisible()
  await radio('5 Excellent').click()
  await expectSound()
  await button('Previous').click()
  await atStep(1)
  await expect.element(field('Your reason')).toHaveValue('We merged')
  await goOn(1)
  await expect.element(radio('5 Excellent')).toBeChecked()
  await goOn(1)
  await atStep(3)
  await field('Details').fill('One of us has another product')
  await field('What could be improved?').fill('Nothing')
  await field('Which product do you use instead?').fill('Paper')
  await expectSound()
  await goOn(1)
  await atStep(4)
  const method = field('Contact method')
  await expect.element(method).not.toBeInTheDocument()
  await field('You may contact me about my feedback').click()
  expect(
    method
      .getByRole('option')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Email', 'Phone', 'Other'])
  await method.selectOptions('Phone')
  await expectSound()
  await button('Submit').click()
  await isOut()
  expect(api.calls(leaving.giveFeedback)[0]?.body).toEqual({
    category: 'other',
    custom_category: 'We merged',
    rating: 5,
    details: 'One of us has another product',
    improvements: 'Nothing',
    competitor: 'Paper',
    contact_consent: true,
    contact_method: 'phone',
  })
})

test('what is missing is said at its own step, and nothing is sent', async () => {
  const api = await openDialog()
  await goOn(3)
  await button('Submit').click()
  await atStep(1)
  await expect.element(fault).toHaveTextContent('Please select a category and provide details')
  await radio('Other').click()
  await expect.element(fault).not.toBeInTheDocument()

  await goOn(3)
  await button('Submit').click()
  await atStep(1)
  await expect.element(fault).toHaveTextContent('Please specify the reason for leaving')
  await expect.element(field('Your reason')).toHaveFocus()
  await expectSound()
  await field('Your reason').fill('We merged')

  await goOn(3)
  await button('Submit').click()
  await atStep(2)
  await expect.element(fault).toHaveTextContent('Please provide a rating')
  await radio('1 Very Poor').click()

  await goOn(2)
  await button('Submit').click()
  await atStep(3)
  await expect.element(fault).toHaveTextContent('Please select a category and provide details')
  await expect.element(field('Details')).toHaveFocus()
  await field('Details').fill('   ')
  await goOn(1)
  await button('Submit').click()
  await atStep(3)
  expect(sent(api)).toEqual([0, 0])
})

test.each([1, 2, 3, 4])(
  'left at step %i, everything is as it is, and answers are still there',
  async (step) => {
    const api = await openDialog()
    await radio('Support').click()
    await goOn(step - 1)
    await atStep(step)
    for (const close of [
      () => button('Cancel').click(),
      () => button('Close').click(),
      () => userEvent.keyboard('{Escape}'),
    ]) {
      await close()
      await expect.element(dialog).not.toBeInTheDocument()
      await remove.click()
      await expect.element(radio('Support')).toBeChecked()
      await goOn(step - 1)
      await atStep(step)
    }
    expect(sent(api)).toEqual([0, 0])
  },
)

test('a failure of either call is said, nothing typed is lost, and trying again works', async () => {
  const api = await openDialog()
  await answerAll()
  api.refuses(leaving.giveFeedback, 500, 'Something went wrong on our side.')
  await button('Submit').click()
  const alert = dialog.getByRole('alert')
  await expect.element(alert).toHaveTextContent('Failed to submit feedback. Please try again.')
  expect(sent(api)).toEqual([1, 0])
  api.answers(leaving.giveFeedback, { ok: true }).fails(leaving.deleteAccount)
  await button('Submit').click()
  await expect.element(alert).toHaveTextContent('Failed to delete account. Please try again.')
  const only = 'You are the only administrator of this Howl.'
  api.refuses(leaving.deleteAccount, 409, only, { code: 'CONFLICT' })
  await button('Submit').click()
  await expect.element(alert).toHaveTextContent(only)
  api.answers(leaving.deleteAccount)
  await button('Submit').click()
  await expect.element(toast('Account deleted successfully. Thank you for your feedback!')).toBeVisible()
  await isOut()
})

test('closed while the feedback is on its way, nothing is deleted; pressed twice, it is deleted once', async () => {
  const api = await openDialog()
  await answerAll()
  const { promise: held, resolve: answer } = Promise.withResolvers<Response>()
  api.responds(leaving.giveFeedback, () => held)
  await button('Submit').dblClick()
  await expect.element(button('Submit')).toHaveAttribute('aria-busy', 'true')
  await button('Cancel').click()
  await expect.element(dialog).not.toBeInTheDocument()
  await remove.click()
  // Open again, and free, also before the feedback has been answered.
  await goOn(3)
  await expect.element(button('Submit')).not.toHaveAttribute('aria-busy', 'true')
  answer(Response.json({ ok: true }))
  api.answers(leaving.giveFeedback, { ok: true })
  expect(sent(api)).toEqual([1, 0])
  const gone = Promise.withResolvers<Response>()
  api.responds(leaving.deleteAccount, () => gone.promise)
  await button('Submit').dblClick()
  gone.resolve(Response.json({ ...blankReply(leaving.deleteAccount), ok: true }))
  await isOut()
  expect(sent(api)).toEqual([2, 1])
})

test('the four steps by keyboard alone', async () => {
  const api = apiOfLeaving()
  openPage('/delete-account')
  await expect.element(remove).toBeVisible()
  remove.element().focus()
  await userEvent.keyboard('{Enter}')
  await atStep(1)
  await expect.element(radio('Pricing')).toHaveFocus()
  await userEvent.keyboard(' {ArrowRight}')
  await expect.element(radio('Features')).toBeChecked()
  await userEvent.keyboard('{Enter}')
  await atStep(2)
  await userEvent.keyboard(' ')
  await expect.element(radio('1 Very Poor')).toBeChecked()
  await userEvent.keyboard('{Enter}')
  await atStep(3)
  await userEvent.keyboard('Too slow')
  await expect.element(field('Details')).toHaveValue('Too slow')
  button('Next').element().focus()
  await userEvent.keyboard('{Enter}')
  await atStep(4)
  await userEvent.keyboard('{Enter}')
  await isOut()
  expect(sent(api)).toEqual([1, 1])
})

test('after a restoration every page says that mail is paused, until it is resumed', async () => {
  const api = fakeApi()
    .answers(leaving.mailPause, { paused_at: '2026-11-20T10:00:00.000Z', waiting: 2 })
    .answers(heldMails.list, null)
    .refuses(leaving.resumeMail, 500, '')
  openPage('/delete-account')
  const notice = page.getByRole('region', { name: 'Mail paused' })
  await expect.element(notice).toMatchTextContent('Your account was restored.')
  await expect.element(notice).toMatchTextContent('2 emails leave then.')
  await expectSound()
  const resume = notice.getByRole('button', { name: 'Resume mail' })
  await resume.click()
  await expect.element(toast('Failed to resume mail. Please try again.')).toBeVisible()
  api.answers(leaving.resumeMail, { ok: true }).answers(leaving.mailPause, { paused_at: null, waiting: 0 })
  await resume.click()
  await expect.element(toast('Your mail is sent and read again')).toBeVisible()
  await expect.element(notice).not.toBeInTheDocument()
})
