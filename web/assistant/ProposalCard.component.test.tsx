import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { assistant, type Proposal } from '#contract/assistant/assistant.ts'
import { openPage } from '../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../tests/support/fake-api.ts'
import { button, fakeChat, propose } from '../../tests/support/fake-chat.ts'
import { expectSound } from '../../tests/support/sound-part.ts'

const card = page.getByRole('region', { name: 'Add the task' })

/** Wolfy's page with one answer that has a card. */
function withCard(fields: Partial<Proposal> = {}): { api: FakeApi; proposal: Proposal } {
  const api = fakeApi()
  const { sessions, store } = fakeChat(api)
  store({ message: 'Remind me to call Ann Lee tomorrow' })
  const [session] = sessions
  if (session === undefined) throw new Error('There is no conversation')
  const proposal = propose(session, fields)
  openPage('/simon')
  return { api, proposal }
}

test('can be read and edited by everybody', async () => {
  withCard()
  await expect.element(card).toMatchTextContent(/Waiting for you/)
  await expectSound()
  await button('Edit').click()
  await expect.element(page.getByRole('form', { name: 'Edit proposal' })).toBeVisible()
  await expectSound()
})

test('is declined, and then nothing is done', async () => {
  const { api, proposal } = withCard()
  api.answers(assistant.decline, { ...proposal, status: 'declined' })
  await button('Decline').click()
  await expect.element(card).toMatchTextContent(/Declined\. Nothing was done\./)
  await expect.element(card.getByRole('button')).not.toBeInTheDocument()
  expect(api.calls(assistant.approve)).toEqual([])
})

test('that was declined in another tab says so when it is approved', async () => {
  const { api, proposal } = withCard()
  api.refuses(assistant.approve, 409, 'This proposal was declined.')
  await button('Approve').click()
  await expect.element(card.getByRole('alert')).toHaveTextContent('This proposal was declined.')
  proposal.status = 'declined'
  api.tells({ topic: 'assistant' })
  await expect.element(card).toMatchTextContent(/Declined\. Nothing was done\./)
})

test('that is too old says so', async () => {
  withCard({ status: 'expired' })
  await expect.element(card).toMatchTextContent(/Expired\. Nothing was done\. Please ask again\./)
  await expect.element(card.getByRole('button')).not.toBeInTheDocument()
})

test('that needs a title keeps its form open without one', async () => {
  const { api } = withCard()
  api.refuses(assistant.edit, 400, 'Please enter a title', { fields: { title: 'Please enter a title' } })
  await button('Edit').click()
  const form = page.getByRole('form', { name: 'Edit proposal' })
  await expect.element(form.getByLabelText('Title')).toHaveFocus()
  await form.getByLabelText('Title').fill('')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(form).toMatchTextContent(/Please enter a title/)
  await expect.element(form.getByLabelText('Title')).toHaveValue('')
})

test('for an email without a mailbox leads to the settings', async () => {
  const { api } = withCard()
  api.refuses(assistant.approve, 400, 'Email is not set up.', { code: 'SMTP_NOT_CONFIGURED' })
  await button('Approve').click()
  await expect.element(card.getByRole('alert')).toBeVisible()
  await expect
    .element(card.getByRole('link', { name: 'Profile & Settings' }))
    .toHaveAttribute('href', '/profile')
})
