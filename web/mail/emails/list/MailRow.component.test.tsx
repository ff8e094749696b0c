import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { EmailSummary } from '#contract/mail/emails.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'
import {
  dialog,
  fakeMailbox,
  folder,
  list,
  openMail,
  row,
  rows,
  search,
  stopDate,
} from '../../../../tests/support/fake-mailbox.ts'

test('days with their figures, ages and stars', async () => {
  stopDate('2026-03-10T12:00:00.000Z')
  fakeMailbox(
    { subject: 'One', timestamp: '2026-03-10T11:59:59.000Z' },
    { subject: 'Two', timestamp: '2026-03-09T22:59:59.000Z', isRead: true },
    { subject: 'Three', timestamp: '2026-03-08T23:00:00.000Z', isStarred: false },
    { subject: 'Four', timestamp: '2026-01-20T09:00:00.000Z' },
    { subject: 'Five' },
  )
  await openMail()
  const days = () => list('Inbox').getByRole('heading', { level: 2 }).elements()
  await expect
    .poll(() => days().map(({ textContent }) => textContent?.replaceAll(/\s+/g, ' ')))
    .toEqual(['Today1 email', 'Yesterday2 emails', 'January 20262 emails'])
  await expect.element(row('Inbox', 'Five')).toMatchTextContent('Jan 5, 2026')
  await expect.element(row('Inbox', 'Five')).toMatchTextContent('(starred)')
  await expect.element(rows('Inbox').first().getByRole('time')).toHaveTextContent('Just now')
})

const SENT: Partial<EmailSummary> = { status: 'sent', isRead: true, isStarred: false, attachments: [] }
const ON_THEIR_WAY: Partial<EmailSummary>[] = [
  {
    subject: 'Tulips',
    delivery: { state: 'deferred', reason: '451 Greylisted.', next_try_at: '2030-01-05T10:00:00.000Z' },
  },
  { subject: 'Books', delivery: { state: 'failed', reason: '550 5.1.1 No such user here.' } },
  { subject: 'Bikes', delivery: { state: 'queued' } },
  { subject: 'Tea', delivery: { state: 'unsure' } },
  { subject: 'Boats', delivery: { state: 'sent' } },
].map((mail) => ({ ...SENT, ...mail }) as Partial<EmailSummary>)

test('a mail that has not left says why', async () => {
  fakeMailbox(...ON_THEIR_WAY)
  await openMail(undefined, 'Sent')
  for (const [subject, ...said] of [
    ['Tulips', 'Deferred', '451 Greylisted. Next try on Jan 5, 2030 at 11:00.'],
    ['Books', 'Failed', '550 5.1.1 No such user here.'],
    ['Bikes', 'Queued'],
    ['Tea', 'Unsure'],
    ['Boats', 'Thank you for your order.'],
  ] as const)
    for (const each of said) await expect.element(row('Sent', subject)).toMatchTextContent(each)
})

test('mail that was sent, and drafts, tell to whom by name', async () => {
  fakeMailbox(
    { ...SENT, subject: 'To a contact', to_names: 'Anna Berg' },
    { ...SENT, subject: 'To nobody', status: 'draft', to_names: '' },
  )
  await openMail(undefined, 'Sent')
  await expect.element(row('Sent', 'To a contact')).toMatchTextContent('To Anna Berg')
  await expect.element(row('Sent', 'To a contact')).not.toMatchTextContent('muster.example')
  await folder('Drafts').click()
  await expect.element(row('Drafts', 'To nobody')).toMatchTextContent('To nobody yet')
})

const INBOX: Partial<EmailSummary>[] = [
  { subject: 'Your order' },
  {
    subject: 'Re: Bread on Fridays, and a rather long subject that will not fit into its line',
    sender: 'Anna Berg',
    intent: 'interested',
    isStarred: false,
    attachments: [],
    collapsed: 3,
  },
  { subject: 'Re: Garden', sender: 'Ben Ott', intent: 'question', isRead: true, isStarred: false },
  { subject: '', sender: '', intent: 'out_of_office', isRead: true, attachments: [] },
  { subject: 'Undelivered', is_report: true, collapsed: 12, isRead: true },
]

test('the list is accessible and fits, with all that is done in it', async () => {
  fakeMailbox(...INBOX, ...ON_THEIR_WAY.map((mail) => ({ ...mail, status: 'received' as const })))
  await openMail()
  await expect.element(row('Inbox', '12 delivery reports')).toBeVisible()
  await expectSound()
  await page.getByLabelText('Select all on this page').click()
  const bar = page.getByRole('toolbar', { name: 'Selected emails' })
  await expect.element(bar).toMatchTextContent('10 selected')
  await expectSound()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await search.click()
  await expect.element(page.getByText('has:attachment')).toBeVisible()
  await expectSound()
  await page.getByRole('heading', { level: 1 }).click()
  await userEvent.keyboard('?')
  await expect.element(dialog('Keyboard shortcuts')).toBeVisible()
  await expectSound()
})

test('empty folders are accessible and fit', async () => {
  fakeMailbox()
  await openMail()
  await expect.element(list('Inbox')).toMatchTextContent('Inbox is empty')
  await expectSound()
  await folder('Trash').click()
  await expect.element(page.getByRole('button', { name: 'Empty Trash' })).toBeVisible()
  await expectSound()
})
