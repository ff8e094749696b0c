import { expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
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
