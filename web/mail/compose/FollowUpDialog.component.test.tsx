import { expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { toast } from '../../../tests/support/component-page.tsx'
import { button, dialog, fakeMailbox, opened, openMail } from '../../../tests/support/fake-mailbox.ts'
import { answersWriting } from '../../../tests/support/fake-writing.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const SUBJECT = 'Bread on Fridays'
const followUp = dialog('Generate Follow-up')
const alert = followUp.getByRole('alert')
const send = button(followUp, 'Send')
const PROPOSAL = {
  ...blankReply(emails.followUpPreview),
  body: 'Have you thought about it?',
  subject: 'Re: Bread on Fridays',
  in_reply_to: '<first@muster.example>',
  templated: true,
}

test('a follow-up is made, changed and sent, and answers the mail before it', async () => {
  const api = answersWriting(
    fakeMailbox({ subject: SUBJECT, status: 'sent', to: 'Anna <anna@bakery.example>', isRead: true }),
  ).fails(emails.followUpPreview)
  await openMail(SUBJECT, 'Sent')
  await button(opened(SUBJECT), 'Generate Follow-up').click()
  await expect.element(followUp.getByLabelText('To')).toHaveValue('anna@bakery.example')
  await expect.element(send).toBeDisabled()
  await followUp.getByLabelText('To').fill('')
  await button(followUp, 'Generate').click()
  await expect.element(followUp).toMatchTextContent('Please enter an email address to generate follow-up')
  await expectSound('[role=dialog]')
  await followUp.getByLabelText('To').fill('anna@bakery.example')
  await button(followUp, 'Generate').click()
  await expect.element(alert).toHaveTextContent('Failed to generate follow-up')

  api.answers(emails.followUpPreview, PROPOSAL)
  await button(followUp, 'Generate').click()
  await expect.element(followUp.getByLabelText('Message')).toHaveValue(PROPOSAL.body)
  await expect.element(followUp).toMatchTextContent('Written from a built-in template, in English.')
  api.fails(emails.send)
  await followUp.getByLabelText('Message').fill('Well?')
  await send.click()
  await expect.element(alert).toHaveTextContent('Failed to send follow-up')
  await expect.element(followUp.getByLabelText('Message')).toHaveValue('Well?')
  answersWriting(api)
  await send.click()
  await expect.element(toast('Follow-up sent successfully')).toBeVisible()
  expect(api.calls(emails.send).at(-1)?.body).toMatchObject({
    to: 'anna@bakery.example',
    subject: 'Re: Bread on Fridays',
    content: 'Well?',
    in_reply_to: '<first@muster.example>',
  })
})

test('while a follow-up is made nothing can be sent', async () => {
  answersWriting(fakeMailbox({ subject: SUBJECT, status: 'sent' })).never(emails.followUpPreview)
  await openMail(SUBJECT, 'Sent')
  await button(opened(SUBJECT), 'Generate Follow-up').click()
  await button(followUp, 'Generate').click()
  await expect.element(followUp.getByLabelText('Generating a follow-up')).toBeVisible()
  await expect.element(send).toBeDisabled()
})
