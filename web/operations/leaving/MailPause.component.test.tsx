import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { heldMails } from '#contract/mail/held-mail.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { MailPause } from './MailPause.tsx'

const RESTORED = { backup_taken_at: '2026-11-20T03:00:00.000Z', restored_at: '2026-11-21T03:00:00.000Z' }
const NOTHING = { ...RESTORED, total: 0, may_have_left: 0, runs: 0, recurring: 0, mails: [] }

const notice = page.getByRole('region', { name: 'Mail paused' })
const dialog = page.getByRole('dialog', { name: 'Mail that waits' })
const see = notice.getByRole('button', { name: 'See what waits' })

function held(what: typeof NOTHING & { mails: object[] }) {
  const api = fakeApi()
    .answers(leaving.mailPause, { paused_at: '2026-11-21T03:00:00.000Z', waiting: what.total })
    .answers(heldMails.list, what as never)
    .answers(mailboxes.get)
  return api.answers(heldMails.send, () => {
    api.answers(leaving.mailPause, { paused_at: null, waiting: 0 })
    return { ok: true }
  })
}

test('where nothing waits, one press resumes', async () => {
  const api = held(NOTHING)
  show(<MailPause />)
  await see.click()
  await expect.element(dialog).toMatchTextContent('No mail waits.')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await see.click()
  await dialog.getByRole('button', { name: 'Resume mail' }).click()
  await expect.element(toast('Your mail is sent and read again')).toBeVisible()
  await expect.element(notice).not.toBeInTheDocument()
  expect(api.calls(heldMails.send)).toHaveLength(1)
})

test('what waits and may have left is named, and left out unless the user says otherwise', async () => {
  const mails = [1, 2, 3].map((number) => ({
    kind: 'email',
    subject: `An offer for the spring, number ${number}`,
    to: `person${number}@customer.example`,
    due_at: '2026-11-20T09:30:00.000Z',
    may_have_left: true,
  }))
  const api = held({ ...NOTHING, total: 3, may_have_left: 3, runs: 1, mails } as never)
  show(<MailPause />)
  await expect.element(notice).toMatchTextContent('Howl was restored from a backup of Nov 20, 2026')
  await expectSound('section')
  await see.click()
  await expect
    .element(dialog)
    .toMatchTextContent(
      '3 mails wait to be sent. All of them were due before Howl was restored, and may have left already.',
    )
  await expect.poll(() => dialog.getByRole('listitem').elements().length).toBe(3)
  await expect.element(dialog.getByRole('listitem').first()).toMatchTextContent('May have left')
  await expect.element(dialog).toMatchTextContent('A bulk run is paused.')
  await expectSound('[role=dialog]')
  const leaveOut = dialog.getByRole('checkbox', { name: 'Do not send the 3 that may have left already' })
  await expect.element(leaveOut).toBeChecked()
  await leaveOut.click()
  await dialog.getByRole('button', { name: 'Send 3 mails' }).click()
  await expect.element(toast('Your mail is sent and read again')).toBeVisible()
  expect(api.calls(heldMails.send).map(({ body }) => body)).toEqual([{ leave_out: false }])
})
