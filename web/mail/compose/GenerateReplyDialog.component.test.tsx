import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { emails } from '#contract/mail/emails.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { toast } from '../../../tests/support/component-page.tsx'
import { button, dialog, fakeMailbox, opened, openMail } from '../../../tests/support/fake-mailbox.ts'
import { answersWriting } from '../../../tests/support/fake-writing.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const span = (start: string, end: string) => ({
  start_iso: `2027-01-${start}:00.000Z`,
  end_iso: `2027-01-${end}:00.000Z`,
})
const TIMES = [span('12T09:00', '12T09:30'), span('13T13:00', '13T13:30'), span('14T09:00', '14T09:30')]
const source = (line: string, kind: 'email' | 'time' | 'profile', quote: string) => ({
  line,
  kind,
  email_id: kind === 'email' ? 1 : null,
  writer: kind === 'email' ? 'Anna Berg' : '',
  written_at: kind === 'email' ? '2027-01-08T08:15:00.000Z' : null,
  quote,
})
const PROPOSAL = {
  ...blankReply(emails.replyPreview),
  body: 'Hello Anna,\n\nHow about Tuesday 12 January at 10:00?\n\nKind regards,\nAda Muster',
  intent: 'meeting_request' as const,
  schedule: { title: 'Tasting with Anna', ...span('12T09:00', '12T09:30') },
  times: TIMES,
  sources: [
    source('let us talk about the rye bread', 'email', 'to talk about the rye bread'),
    source('How about Tuesday 12 January at 10:00?', 'time', 'Tuesday 12 January at 10:00'),
    source('Ada Muster', 'profile', 'Ada Muster'),
  ],
}

const SUBJECT = 'Can we meet?'
const generated = dialog('Generate Reply')
const message = generated.getByLabelText('Message')
const send = button(generated, 'Send')
const meeting = () => answersWriting(fakeMailbox({ subject: SUBJECT })).answers(emails.replyPreview, PROPOSAL)

async function generate(): Promise<void> {
  await openMail(SUBJECT)
  await button(opened(SUBJECT), 'Generate Reply').click()
}

test('while a reply is made nothing can be sent', async () => {
  meeting().never(emails.replyPreview)
  await generate()
  await expect.element(generated.getByLabelText('Generating a reply')).toBeVisible()
  await expect.element(send).toBeDisabled()
})

test('a reply is made for each opening: the times of the last one may be taken', async () => {
  const api = meeting()
  await generate()
  await expect.element(message).toHaveValue(PROPOSAL.body)
  await userEvent.keyboard('{Escape}')
  await expect.element(generated).not.toBeInTheDocument()
  api.answers(emails.replyPreview, { ...PROPOSAL, body: 'How about Wednesday?' })
  await button(opened(SUBJECT), 'Generate Reply').click()
  await expect.element(message).toHaveValue('How about Wednesday?')
})

test('a reply that cannot be made is told, and made again', async () => {
  const api = meeting().fails(emails.replyPreview)
  await generate()
  await expect.element(generated.getByRole('alert')).toHaveTextContent('Failed to generate reply')
  api.answers(emails.replyPreview, PROPOSAL)
  await button(generated, 'Generate again').click()
  await expect.element(message).toHaveValue(PROPOSAL.body)
})

test('a reply is changed and sent, with the meeting at the time that is chosen', async () => {
  const api = meeting()
  await generate()
  await expect.element(message).toHaveValue(PROPOSAL.body)
  await expect.element(generated).toMatchTextContent('Understood as: meeting request.')
  await expect.element(generated).toMatchTextContent('Tasting with Anna')
  await message.fill('  ')
  await expect.element(send).toBeDisabled()
  await message.fill('Gladly, on Wednesday.')
  const time = generated.getByRole('combobox', { name: 'Time of the meeting' })
  const times = time.getByRole('option').elements()
  expect(times.map(({ textContent }) => textContent)).toEqual([
    'Tuesday 12 January at 10:00',
    'Wednesday 13 January at 14:00',
    'Thursday 14 January at 10:00',
  ])
  await generated.getByRole('checkbox', { name: 'Add this meeting' }).click()
  await expect.element(time).toBeDisabled()
  await generated.getByRole('checkbox', { name: 'Add this meeting' }).click()
  await time.selectOptions('Wednesday 13 January at 14:00')
  await send.click()
  await expect.element(toast('Reply sent (question) and meeting created')).toBeVisible()
  expect(api.calls(emails.reply).map(({ body }) => body)).toMatchObject([
    {
      email_id: 1,
      subject: 'Re: Can we meet?',
      body: 'Gladly, on Wednesday.',
      quote_of: 1,
      schedule: { title: 'Tasting with Anna', ...TIMES[1] },
    },
  ])
})

test('without its meeting a reply can be taken back; one that is not sent stays as it was written', async () => {
  const api = meeting().fails(emails.reply)
  await generate()
  await message.fill('Not this week.')
  await generated.getByRole('checkbox', { name: 'Add this meeting' }).click()
  await send.click()
  await expect.element(generated.getByRole('alert')).toHaveTextContent('Failed to send reply')
  await expect.element(message).toHaveValue('Not this week.')
  answersWriting(api)
  await send.click()
  await expect.element(toast('Reply sent (question)')).toBeVisible()
  expect(api.calls(emails.reply).at(-1)?.body).toMatchObject({ schedule: null, undo_seconds: 10 })
})

test('a proposed reply shows on demand what it is based on, and fits', async () => {
  meeting()
  await generate()
  await expect.element(message).toHaveValue(PROPOSAL.body)
  await expect.element(generated.getByText('Email from Anna Berg')).not.toBeVisible()
  generated.getByText('What this is based on').element().focus()
  await userEvent.keyboard('{Enter}')
  const sources = generated.getByRole('listitem')
  await expect
    .element(sources.nth(0))
    .toMatchTextContent(
      /let us talk about the rye bread.*Email from Anna Berg, .*09:15.*to talk about the rye bread/s,
    )
  await expect.element(sources.nth(1)).toMatchTextContent('A free time in your calendar (Europe/Berlin)')
  await expect.element(sources.nth(2)).toMatchTextContent('Your profile')
  await expectSound('[role=dialog]')
  const { scrollWidth, clientWidth } = generated.element()
  expect(scrollWidth - clientWidth).toBeLessThanOrEqual(0)
})

test('a reply from the template says that it is in English; one time is no choice', async () => {
  meeting().answers(emails.replyPreview, {
    ...PROPOSAL,
    templated: true,
    times: TIMES.slice(0, 1),
    sources: [],
  })
  await generate()
  await expect.element(generated).toMatchTextContent('Written from a built-in template, in English.')
  await expect.element(generated).toMatchTextContent('10:00')
  await expect.element(generated.getByRole('combobox')).not.toBeInTheDocument()
  await expect.element(generated.getByText('What this is based on')).not.toBeInTheDocument()
})
