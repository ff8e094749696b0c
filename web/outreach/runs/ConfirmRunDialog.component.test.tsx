import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { templates } from '#contract/outreach/templates.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { show } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { ACCOUNT } from '../../../tests/support/fake-mailbox.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { GenerateAndSend } from './GenerateAndSend.tsx'

const OFFICE = { ...ACCOUNT, id: 2, address: 'office@muster.example', primary: false, default: false }

test('a run asks which account it is to send from, and says how long that takes', async () => {
  const estimate = { ...blankReply(outreach.estimate), contacts: 2, to_send: 2, configured: true }
  const api = fakeApi()
    .answers(emails.health, { ...blankReply(emails.health), configured: true })
    .answers(outreach.estimate, ({ query }) => ({
      ...estimate,
      seconds: query.mailbox_id === '2' ? 60 : 7200,
    }))
    .answers(mailboxes.get, { ...blankReply(mailboxes.get), configured: true })
    .answers(mailboxes.accounts, [ACCOUNT, OFFICE])
    .answers(briefs.get)
    .answers(templates.list)
    .answers(templates.house)
    .never(outreach.generateAndSend)
  show(<GenerateAndSend />)
  await page.getByRole('button', { name: 'Generate & Send Emails' }).click()
  const question = page.getByRole('dialog', { name: 'Send to 2 contacts?' })
  const from = question.getByRole('combobox', { name: 'Send from' })
  await expect.element(from).toHaveDisplayValue(ACCOUNT.address)
  await from.selectOptions(OFFICE.address)
  await expect.element(question.getByText('About 1 minute')).toBeVisible()
  await expectSound('[role=dialog]')
  await question.getByRole('button', { name: 'Send to 2 contacts' }).click()
  await expect
    .poll(() => api.calls(outreach.generateAndSend).map(({ body }) => body))
    .toMatchObject([{ mailbox_id: 2 }])
})
