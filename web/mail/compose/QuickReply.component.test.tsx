import { expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { MAIL } from '../../../tests/support/a-mail.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { toast } from '../../../tests/support/component-page.tsx'
import {
  button,
  dialog,
  fakeMailbox,
  opened,
  openMail,
  stopDate,
} from '../../../tests/support/fake-mailbox.ts'
import { answersWriting, content } from '../../../tests/support/fake-writing.ts'

const SUBJECT = 'Can we meet?'

test('a quick reply that is refused is kept, and says why; the same again is a slip', async () => {
  stopDate()
  const detail = 'The mail server refused this mail: 550 No such user'
  const api = fakeMailbox({ subject: SUBJECT }).refuses(emails.reply, 400, detail)
  await openMail(SUBJECT)
  const field = opened(SUBJECT).getByLabelText('Quick reply')
  await field.fill('Yes.')
  await button(opened(SUBJECT), 'Send reply').click()
  await expect.element(opened(SUBJECT).getByRole('alert')).toHaveTextContent(detail)
  await button(opened(SUBJECT), 'Send reply').click()
  await expect.element(toast('Duplicate click ignored')).toBeVisible()
  await expect.element(field).toHaveValue('Yes.')
  expect(api.calls(emails.reply)).toHaveLength(1)
})

test('what is typed while a reply is on its way stays', async () => {
  const api = fakeMailbox({ subject: SUBJECT })
  const { promise: held, resolve: answer } = Promise.withResolvers<Response>()
  api.responds(emails.reply, () => held)
  await openMail(SUBJECT)
  const field = opened(SUBJECT).getByLabelText('Quick reply')
  await field.fill('Yes.')
  await button(opened(SUBJECT), 'Send reply').click()
  await field.fill('Yes. And bread?')
  const sent = { ...blankReply(emails.reply), ...MAIL, status: 'sent', intent: 'question' }
  answer(Response.json(sent))
  await expect.element(toast('Reply sent (question)')).toBeVisible()
  await expect.element(field).toHaveValue('Yes. And bread?')
})

test('a reply that is not sent says so where it was written', async () => {
  answersWriting(fakeMailbox({ subject: SUBJECT })).fails(emails.send)
  await openMail(SUBJECT)
  await button(opened(SUBJECT), 'Reply').click()
  const reply = dialog(/^Reply$/)
  await content(reply).fill('Twelve.')
  await button(reply, 'Send Email').click()
  await expect.element(reply.getByRole('alert')).toHaveTextContent('Failed to send reply')
  await expect.element(content(reply)).toHaveTextContent('Twelve.')
})
