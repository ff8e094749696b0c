import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { emails } from '#contract/mail/emails.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { closingDialogs } from '../../../../tests/support/closing-dialogs.ts'
import { toast } from '../../../../tests/support/component-page.tsx'
import {
  button,
  dialog,
  fakeMailbox,
  folder,
  list,
  opened,
  openMail,
  row,
  rowLink,
  rows,
} from '../../../../tests/support/fake-mailbox.ts'

const UNREAD = { isStarred: false, attachments: [], collapsed: 1 }
const inboxOf = (...subjects: string[]) =>
  fakeMailbox(...subjects.map((subject) => ({ ...UNREAD, subject, from_name: 'Anna', sender: 'Anna' })))
const count = (where: string) => expect.poll(() => rows(where).elements().length)
const bar = page.getByRole('toolbar', { name: 'Selected emails' })
const keys = (text: string) => userEvent.keyboard(text)
const star = (subject: string) => button(row('Inbox', subject), 'Star')

/** Presses an action of a row, which is there once somebody points at it. */
async function press(where: string, subject: string, action: string): Promise<void> {
  await row(where, subject).hover()
  await button(row(where, subject), action).click()
}

async function goTo(name: string): Promise<void> {
  await folder(name).click()
  await expect.element(folder(name)).toHaveAttribute('aria-current', 'page')
}

test('archive and back: texts, figures, folder, and Undo', async () => {
  inboxOf('One', 'Two', 'Three')
  await openMail()
  await expect.element(folder('Inbox')).toMatchTextContent(/^Inbox\s*3$/)
  await press('Inbox', 'One', 'Archive')
  await count('Inbox').toBe(2)
  await expect.element(toast('Email archived successfully')).toBeVisible()
  await expect.element(folder('Inbox')).toMatchTextContent(/^Inbox\s*2$/)
  await expect.element(folder('Archived')).toMatchTextContent(/^Archived\s*1$/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(toast('Email moved back to Inbox folder')).toBeVisible()
  await count('Inbox').toBe(3)
})

test('each of trash, restore and delete asks first; Cancel changes nothing', async () => {
  const api = inboxOf('One', 'Two')
  await openMail()
  const closing = closingDialogs()
  await press('Inbox', 'One', 'Move to trash')
  const question = dialog('Move “One” to trash?')
  await button(question, 'Cancel').click()
  await expect.element(question).not.toBeInTheDocument()
  expect(closing).toEqual([expect.stringMatching(/^Move “One” to trash\?/)])
  expect(api.calls(emails.trash)).toEqual([])
  await press('Inbox', 'One', 'Move to trash')
  await expect.element(button(question, 'Move to trash')).toHaveFocus()
  await keys('{Enter}')
  await expect.element(toast('Email "One" moved to trash')).toBeVisible()
  await count('Inbox').toBe(1)
  await expect.element(rowLink('Inbox', 'Two')).toHaveFocus()

  await goTo('Trash')
  await press('Trash', 'One', 'Restore')
  await button(dialog('Restore “One”?'), 'Restore').click()
  await expect.element(toast('Email "One" restored to Inbox')).toBeVisible()
  await expect.element(list('Trash')).toMatchTextContent('Trash is empty')
  api.mails[0]!.status = 'trashed'
  api.tells({ topic: 'emails' })
  await press('Trash', 'One', 'Delete permanently')
  await button(dialog('Delete “One” permanently?'), 'Delete permanently').click()
  await expect.element(list('Trash')).toMatchTextContent('Trash is empty')
  await expect.element(toast('Email deleted permanently')).toBeVisible()
})

test.each([
  ['Spam', 'spam'],
  ['Sent', 'sent'],
  ['Trash', 'trash'],
] as const)('out of the archive and the trash a mail goes back to %s', async (home, from) => {
  fakeMailbox({ subject: 'Bread', status: 'archived', original_folder: from })
  await openMail(undefined, 'Archived')
  await press('Archived', 'Bread', 'Unarchive')
  await expect.element(toast(`Email moved back to ${home} folder`)).toBeVisible()
  await expect.element(list('Archived')).toMatchTextContent('Archived is empty')
  await goTo(home)
  await expect.element(row(home, 'Bread')).toBeVisible()
  if (home === 'Trash') return
  await press(home, 'Bread', 'Move to trash')
  await button(dialog('Move “Bread” to trash?'), 'Move to trash').click()
  await goTo('Trash')
  await press('Trash', 'Bread', 'Restore')
  await button(dialog('Restore “Bread”?'), 'Restore').click()
  await expect.element(toast(`Email "Bread" restored to ${home}`)).toBeVisible()
})

test('Empty Trash asks, empties, and says when there is nothing', async () => {
  const api = inboxOf('One', 'Two', 'Three')
  api.answers(emails.emptyTrash, () => {
    for (const mail of api.mails) if (mail.status === 'trashed') mail.status = 'deleted'
    return { ok: true, deleted: 3 }
  })
  await openMail(undefined, 'Trash')
  await expect.element(list('Trash')).toMatchTextContent('Trash is empty')
  await page.getByRole('button', { name: 'Empty Trash' }).click()
  await expect.element(toast('Trash is already empty')).toBeVisible()
  await goTo('Inbox')
  await page.getByLabelText('Select all on this page').click()
  await button(bar, 'Move to trash').click()
  await button(dialog('Move 3 emails to trash?'), 'Move to trash').click()
  await expect.element(toast('3 emails moved to trash')).toBeVisible()
  await expect.element(list('Inbox')).toMatchTextContent('Inbox is empty')
  await goTo('Trash')
  await count('Trash').toBe(3)
  await page.getByRole('button', { name: 'Empty Trash' }).click()
  const question = dialog('Empty Trash?')
  await expect.element(question).toMatchTextContent('All 3 emails in it will be deleted permanently.')
  await button(question, 'Empty Trash').click()
  await expect.element(list('Trash')).toMatchTextContent('Trash is empty')
  await expect.element(folder('Trash')).toHaveTextContent('Trash')
})

test('spam is reported and taken back; stars, reading and their filters', async () => {
  inboxOf('One', 'Two')
  await openMail()
  await press('Inbox', 'One', 'Report spam')
  await expect.element(toast('Reported as spam')).toBeVisible()
  await goTo('Spam')
  await press('Spam', 'One', 'Not spam')
  await expect.element(toast('Marked not spam')).toBeVisible()
  await goTo('Inbox')
  await press('Inbox', 'One', 'Star')
  await expect.element(star('One')).toHaveAttribute('aria-pressed', 'true')
  await press('Inbox', 'One', 'Mark as read')
  await expect.element(toast('Marked as read')).toBeVisible()
  await expect.element(row('Inbox', 'One')).not.toMatchTextContent('(unread)')
  await expect.element(folder('Inbox')).toMatchTextContent(/^Inbox\s*1$/)
  await page.getByLabelText('Filter').selectOptions('Starred')
  await expect.poll(() => location.search).toContain('filter=starred')
  await count('Inbox').toBe(1)
  await page.getByLabelText('Filter').selectOptions('Unread')
  await expect.element(row('Inbox', 'Two')).toBeVisible()
  await count('Inbox').toBe(1)
})

test('the next mail opens when the open one is archived; u closes it unread', async () => {
  const api = inboxOf('One', 'Two', 'Three')
  await openMail('One')
  await button(opened('One'), 'Archive').dblClick()
  await expect.element(opened('Two')).toBeVisible()
  await expect.poll(() => api.calls(emails.archive)).toHaveLength(1)
  await count('Inbox').toBe(2)
  await button(opened('Two'), 'Mark as unread').click()
  await expect.poll(() => location.search).not.toContain('email=')
  await expect.element(row('Inbox', 'Two')).toMatchTextContent('(unread)')
})

test('many at once: ranges, all of the page, Esc, Undo', async () => {
  inboxOf('One', 'Two', 'Three', 'Four')
  await openMail()
  await page.getByLabelText('Select One').click()
  await page.getByLabelText('Select Three').click({ modifiers: ['Shift'] })
  await expect.element(bar).toMatchTextContent('3 selected')
  await keys('{Escape}')
  await expect.element(bar).not.toBeInTheDocument()
  await page.getByLabelText('Select One').click()
  await page.getByLabelText('Select Two').click()
  await button(bar, 'Mark as read').click()
  await expect.element(toast('2 emails marked as read')).toBeVisible()
  await expect.element(row('Inbox', 'Two')).not.toMatchTextContent('(unread)')
  await button(bar, 'Star').click()
  await expect.element(star('Two')).toHaveAttribute('aria-pressed', 'true')
  await button(bar, 'Archive').click()
  await expect.element(toast('2 emails archived')).toBeVisible()
  await count('Inbox').toBe(2)
  await page.getByRole('heading', { level: 1 }).click()
  await keys('z')
  await count('Inbox').toBe(4)
})

test('actions on a row that stands for several mails apply to all of them', async () => {
  const api = fakeMailbox(
    { ...UNREAD, subject: 'Weekly offer', collapsed: 3 },
    { ...UNREAD, subject: 'Bread' },
  )
  await openMail()
  await expect.element(row('Inbox', 'Weekly offer')).toMatchTextContent('3 emails')
  await press('Inbox', 'Weekly offer', 'Archive')
  await count('Inbox').toBe(1)
  await expect
    .poll(() => api.calls(emails.act).map(({ body }) => body))
    .toEqual([{ action: 'archive', ids: [1], collapsed: true }])
})

test('all mails of a folder are chosen at once', async () => {
  const api = inboxOf(...Array.from({ length: 23 }, (_, index) => `Offer ${index + 1}`))
  await openMail()
  await page.getByLabelText('Select all on this page').click()
  await button(list('Inbox'), 'Select all 23 in Inbox').click()
  await expect.element(list('Inbox')).toMatchTextContent('All 23 emails in Inbox are selected.')
  await expect.element(bar).toMatchTextContent('23 selected')
  await button(bar, 'Archive').click()
  await expect.element(toast('23 emails archived')).toBeVisible()
  await expect.element(list('Inbox')).toMatchTextContent('Inbox is empty')
  await expect.element(folder('Archived')).toMatchTextContent(/^Archived\s*23$/)
  expect(api.calls(emails.act)[0]?.body?.ids).toHaveLength(23)
})

test('what the server refuses comes back, with the words for it', async () => {
  const api = inboxOf('One', 'Two')
  for (const call of [emails.archive, emails.trash, emails.restore, emails.unarchive, emails.notSpam])
    api.refuses(call, 409, 'No')
  api.refuses(emails.deleteFromTrash, 409, 'No')
  await openMail()
  await press('Inbox', 'One', 'Archive')
  await expect.element(toast('Failed to archive email')).toBeVisible()
  await count('Inbox').toBe(2)
  await expect.element(folder('Inbox')).toMatchTextContent(/^Inbox\s*2$/)
  await press('Inbox', 'One', 'Move to trash')
  await button(dialog(/to trash/), 'Move to trash').click()
  await expect.poll(() => api.calls(emails.trash)).toHaveLength(1)
  await count('Inbox').toBe(2)

  const one = api.mails[0]!
  one.status = 'trashed'
  await goTo('Trash')
  for (const [name, call] of [
    ['Restore', emails.restore],
    ['Delete permanently', emails.deleteFromTrash],
  ] as const) {
    await press('Trash', 'One', name)
    await button(page.getByRole('dialog'), name).click()
    await expect.poll(() => api.calls<Endpoint>(call)).toHaveLength(1)
    await count('Trash').toBe(1)
  }
  await expect.element(toast('No')).not.toBeInTheDocument()
  one.status = 'archived'
  await goTo('Archived')
  await press('Archived', 'One', 'Unarchive')
  await expect.element(toast('Failed to move email back to original folder')).toBeVisible()
  one.status = 'spam'
  await goTo('Spam')
  await press('Spam', 'One', 'Not spam')
  await expect.element(toast('Failed')).toBeVisible()
  await count('Spam').toBe(1)
})
