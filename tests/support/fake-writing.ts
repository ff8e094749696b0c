import { page } from 'vitest/browser'
import { contacts } from '#contract/crm/contacts.ts'
import { emails, type EmailSummary } from '#contract/mail/emails.ts'
import { MAIL } from './a-mail.ts'
import { blankReply } from './blank-reply.ts'
import type { FakeApi } from './fake-api.ts'
import { dialog } from './fake-mailbox.ts'

/** Answers what the compose dialog asks: drafts are kept as number 70, and mails leave at once. */
export function answersWriting<Api extends FakeApi>(api: Api): Api {
  const written = (more: Partial<EmailSummary>) => ({ ...MAIL, id: 70, ...more })
  api
    .answers(contacts.list)
    .answers(emails.saveDraft, written({ status: 'draft' }))
    .answers(emails.update, written({ status: 'draft' }))
    .answers(emails.discard, { ok: true })
    .answers(emails.send, ({ body }) =>
      written({ status: body?.schedule_at == null ? 'sent' : 'scheduled', intent: 'question' }),
    )
    .answers(emails.reply, ({ body }) => ({
      ...blankReply(emails.reply),
      ...written({ status: 'sent' }),
      intent: 'question' as const,
      meeting_id: body?.schedule == null ? null : 5,
    }))
  return api
}

export const compose = dialog('Compose')
export const content = (within: { getByRole: typeof page.getByRole }) =>
  within.getByRole('textbox', { name: 'Content' })
export const to = (within: { getByLabelText: typeof page.getByLabelText }) =>
  within.getByLabelText('To', { exact: true })

/** Fills in a new mail; it is not sent. */
export async function write(mail: { to?: string; subject?: string; content?: string } = {}): Promise<void> {
  await page.getByRole('button', { name: 'Compose', exact: true }).click()
  await to(compose).fill(mail.to ?? 'ben@garden.example')
  await compose.getByLabelText('Subject').fill(mail.subject ?? 'Tulips')
  await content(compose).fill(mail.content ?? 'Three boxes, please.')
}
