import { onTestFinished, vi } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import type { MailAction } from '#contract/mail/email-actions.ts'
import { emailDetail } from '#contract/mail/email.ts'
import { type EmailDetail, emails, type EmailSummary, type Folder } from '#contract/mail/emails.ts'
import { type MailAccount, mailAccount, mailboxes } from '#contract/mail/mailboxes.ts'
import { folderOf } from '#web/mail/emails/mail/mail-actions.ts'
import { MAIL } from './a-mail.ts'
import { blank, blankReply } from './blank-reply.ts'
import { openPage } from './component-page.tsx'
import { type FakeApi, fakeApi } from './fake-api.ts'

/** The account that the fake user sends from. */
export const ACCOUNT: MailAccount = blank(mailAccount, {
  id: 1,
  address: 'ada@muster.example',
  primary: true,
  default: true,
  connected: true,
  reads_replies: true,
})

const STATUSES = ['received', 'sent', 'draft', 'scheduled', 'archived', 'spam', 'trashed'] as const
const STATUS_OF = Object.fromEntries(
  STATUSES.map((status) => [folderOf({ ...MAIL, status }), status]),
) as Record<Folder, EmailSummary['status']>

const FILTERS: Record<string, (mail: EmailSummary) => boolean> = {
  starred: ({ isStarred }) => isStarred,
  unread: ({ isRead }) => !isRead,
  attachments: ({ attachments }) => attachments.length > 0,
}

/** A mail with what is only said of an opened one. */
export const opens = (mail: EmailSummary, more: Partial<EmailDetail> = {}): EmailDetail =>
  blank(emailDetail, {
    ...mail,
    new_words: mail.content,
    message_id: `<${mail.id}@far.example>`,
    shown_in_full: true,
    attachments: mail.attachments.map((name, id) => ({ id, name, type: 'text/plain', size: 5 })),
    ...more,
  })

/**
 * A fake server with a mailbox and these mails, the first one on top. Actions change the mails as on the real server, as
 * far as the page shows that; a search finds subjects.
 */
export function fakeMailbox(...given: readonly Partial<EmailSummary>[]): FakeApi & { mails: EmailSummary[] } {
  const mails = given.map((mail, at) => ({ ...MAIL, id: at + 1, thread_id: at + 1, ...mail }))
  const mailOf = (id: string | number) => mails.find((mail) => mail.id === Number(id)) ?? MAIL
  const found = ({ query }: { query: Record<string, string> }) => {
    const { folder = 'inbox', search = '', filter = 'all', mailbox } = query
    return mails.filter(
      (mail) =>
        folderOf(mail) === folder &&
        mail.subject.toLowerCase().includes(search.toLowerCase()) &&
        (FILTERS[filter]?.(mail) ?? true) &&
        (mailbox === undefined || mail.mailbox_id === Number(mailbox)),
    )
  }
  const api = fakeApi()
    .answers(mailboxes.get, { ...blankReply(mailboxes.get), configured: true, smtp_from: ACCOUNT.address })
    .answers(mailboxes.accounts, [ACCOUNT])
    .answers(emails.ingest)
    .answers(emails.check)
    .answers(
      emails.list,
      (made) => {
        const { page: number = 1, page_size: size = 10 } = made.query
        return found(made).slice((Number(number) - 1) * Number(size), Number(number) * Number(size))
      },
      { total: (made) => found(made).length },
    )
    .answers(emails.counts, ({ query: { mailbox } }) => {
      const one = (folder: string) => found({ query: { folder, ...(mailbox && { mailbox }) } })
      const of = (folder: string) => one(folder).length
      const counts = Object.fromEntries(Object.keys(STATUS_OF).map((folder) => [folder, of(folder)]))
      return {
        ...blankReply(emails.counts),
        ...counts,
        unread_inbox: one('inbox').filter(({ isRead }) => !isRead).length,
      }
    })
    .answers(emails.get, ({ params }) => opens(mailOf(params['id'] ?? '')))
    .answers(emails.thread, ({ params }) => [mailOf(params['id'] ?? '')])
  answerActions(api, mailOf)
  return Object.assign(api, { mails })
}

/** Answers each action on one mail or many. */
function answerActions(api: FakeApi, mailOf: (id: string | number) => EmailSummary): void {
  const act = (action: MailAction, id: string | number) => {
    const mail = mailOf(id)
    const home = (mail.original_folder ?? 'inbox') as Folder
    const moveTo = (folder: Folder | null, from: string | null) =>
      Object.assign(mail, { status: folder === null ? 'deleted' : STATUS_OF[folder], original_folder: from })
    if (action === 'read' || action === 'unread') mail.isRead = action === 'read'
    else if (action === 'star' || action === 'unstar') mail.isStarred = action === 'star'
    else if (action === 'archive') moveTo('archived', mail.original_folder ?? folderOf(mail))
    else if (action === 'trash') moveTo('trash', mail.original_folder ?? folderOf(mail))
    else if (action === 'spam') moveTo('spam', 'inbox')
    else if (action === 'delete') moveTo(null, null)
    else moveTo(home, null)
    return { ok: true, restored_to: home }
  }
  const on = (action: MailAction) => (made: { params: Record<string, string> }) =>
    act(action, made.params['id'] ?? '')
  api
    .answers(emails.archive, on('archive'))
    .answers(emails.unarchive, on('unarchive'))
    .answers(emails.trash, on('trash'))
    .answers(emails.restore, on('restore'))
    .answers(emails.deleteFromTrash, on('delete'))
    .answers(emails.markRead, on('read'))
    .answers(emails.markUnread, on('unread'))
    .answers(emails.spam, on('spam'))
    .answers(emails.notSpam, ({ body }) => act('not-spam', body?.email_id as number))
    .answers(emails.star, ({ params, body }) => {
      const starred = body?.starred === true
      act(starred ? 'star' : 'unstar', params['id'] ?? '')
      return { ok: true, isStarred: starred }
    })
    .answers(emails.act, ({ body }) => {
      const changed = body?.ids as number[]
      for (const id of changed) act(body?.action, id)
      return { ok: true, changed }
    })
}

/** The date stands still until the test is over, however slow the machine is; timers go on. */
export function stopDate(at: Date | string = new Date()): void {
  // Not by fake timers: whatever they fake goes on while an action waits for its element.
  vi.setSystemTime(new Date(at))
  onTestFinished(() => void vi.useRealTimers())
}

export const folder = (name: string): Locator =>
  page.getByRole('navigation', { name: 'Folders' }).getByRole('button', { name: new RegExp(`^${name}`) })
export const list = (name: string): Locator => page.getByRole('region', { name, exact: true })
export const rows = (name: string): Locator => list(name).getByRole('listitem')
export const row = (name: string, subject: string): Locator => rows(name).filter({ hasText: subject })
export const rowLink = (name: string, subject: string): Locator => row(name, subject).getByRole('link')
export const opened = (subject: string): Locator => page.getByRole('region', { name: subject, exact: true })
export const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name })
export const button = (within: { getByRole: Locator['getByRole'] }, name: string): Locator =>
  within.getByRole('button', { name, exact: true })
export const search = page.getByLabelText('Search emails')

/** Opens a folder of the mail page, and the mail with this subject in it. */
export async function openMail(subject?: string, folderName = 'Inbox'): Promise<void> {
  openPage(`/emails?folder=${folderName.toLowerCase()}`)
  if (subject === undefined) return
  await rowLink(folderName, subject).click()
  await opened(subject).getByRole('heading', { name: subject }).first().findElement()
}
