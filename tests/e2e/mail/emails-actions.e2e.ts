import type { Page } from '@playwright/test'
import { expect, test } from '../../support/e2e.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import {
  button,
  deliver,
  dialog,
  folder,
  list,
  openMail,
  opened,
  row,
  rows,
  withMailbox,
} from '../../support/mail-page.ts'
import { toast } from '../../support/toast.ts'

const PASSWORD = 'open sesame'
/** How long an answer may take from the mail server to the screen. */
const ARRIVES_MS = 20_000
const NAMES = ['ada', 'bea', 'cyd', 'dan', 'eve', 'fay', 'gus', 'hal', 'ivy', 'jon']

let servers: MailServers
let used = 0

test.beforeAll(async () => {
  servers = await startMailServers({ users: Object.fromEntries(NAMES.map((name) => [name, PASSWORD])) })
})
test.afterAll(() => servers?.stop())

/** A user with these mails in their inbox, the first one on top. */
async function withInbox(page: Page, subjects: readonly string[], from = 'Anna Berg <anna@bakery.example>') {
  const name = NAMES[used++] ?? 'ada'
  await deliver(
    servers,
    name,
    subjects.toReversed().map((subject) => ({ from, subject })),
  )
  const user = await withMailbox(page, servers, name, PASSWORD)
  await openMail(page)
  await expect(rows(page, 'Inbox')).toHaveCount(subjects.length, { timeout: ARRIVES_MS })
  return { user, name }
}

const goTo = async (page: Page, name: string) => {
  await folder(page, name).click()
  await expect(folder(page, name)).toHaveAttribute('aria-current', 'page')
}
const hover = async (page: Page, where: string, subject: string) => {
  const mail = row(page, where, subject)
  await mail.hover()
  return mail
}

test('archive and back: texts, figures, folder, and Undo', async ({ page }) => {
  await withInbox(page, ['One', 'Two', 'Three'])
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*3$/)
  await button(await hover(page, 'Inbox', 'One'), 'Archive').click()
  await expect(rows(page, 'Inbox')).toHaveCount(2)
  await expect(toast(page, 'Email archived successfully')).toBeVisible()
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*2$/)
  await expect(folder(page, 'Archived')).toHaveText(/^Archived\s*1$/)

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'Email moved back to Inbox folder')).toBeVisible()
  await expect(rows(page, 'Inbox')).toHaveCount(3)

  await button(await hover(page, 'Inbox', 'Two'), 'Archive').click()
  await goTo(page, 'Archived')
  await button(await hover(page, 'Archived', 'Two'), 'Unarchive').click()
  await expect(list(page, 'Archived')).toContainText('Archived is empty')
  await goTo(page, 'Inbox')
  await expect(rows(page, 'Inbox')).toHaveCount(3)
})

test('trash, restore and delete each ask first; Cancel changes nothing', async ({ page }) => {
  await withInbox(page, ['One', 'Two'])
  await button(await hover(page, 'Inbox', 'One'), 'Move to trash').click()
  const question = dialog(page, 'Move “One” to trash?')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows(page, 'Inbox')).toHaveCount(2)
  await button(await hover(page, 'Inbox', 'One'), 'Move to trash').click()
  await question.getByRole('button', { name: 'Move to trash' }).click()
  await expect(toast(page, 'Email "One" moved to trash')).toBeVisible()
  await expect(rows(page, 'Inbox')).toHaveCount(1)
  await expect(row(page, 'Inbox', 'Two').getByRole('link')).toBeFocused()

  await goTo(page, 'Trash')
  await button(await hover(page, 'Trash', 'One'), 'Restore').click()
  await dialog(page, 'Restore “One”?').getByRole('button', { name: 'Restore' }).click()
  await expect(toast(page, 'Email "One" restored to Inbox')).toBeVisible()
  await goTo(page, 'Inbox')
  await expect(rows(page, 'Inbox')).toHaveCount(2)

  await button(await hover(page, 'Inbox', 'One'), 'Move to trash').click()
  await expect(question.getByRole('button', { name: 'Move to trash' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Email "One" moved to trash')).toBeVisible()
  await goTo(page, 'Trash')
  await button(await hover(page, 'Trash', 'One'), 'Delete permanently').click()
  await dialog(page, 'Delete “One” permanently?').getByRole('button', { name: 'Delete permanently' }).click()
  await expect(list(page, 'Trash')).toContainText('Trash is empty')
  await page.reload()
  await expect(list(page, 'Trash')).toContainText('Trash is empty')
})

test('Empty Trash asks, empties, and says when there is nothing', async ({ page }) => {
  await withInbox(page, ['One', 'Two', 'Three'])
  await goTo(page, 'Trash')
  await page.getByRole('button', { name: 'Empty Trash' }).click()
  await expect(toast(page, 'Trash is already empty')).toBeVisible()
  await goTo(page, 'Inbox')
  await page.getByLabel('Select all on this page').check()
  await button(page.getByRole('toolbar', { name: 'Selected emails' }), 'Move to trash').click()
  await dialog(page, 'Move 3 emails to trash?').getByRole('button', { name: 'Move to trash' }).click()
  await expect(toast(page, '3 emails moved to trash')).toBeVisible()
  await expect(list(page, 'Inbox')).toContainText('Inbox is empty')
  await goTo(page, 'Trash')
  await expect(rows(page, 'Trash')).toHaveCount(3)
  await page.getByRole('button', { name: 'Empty Trash' }).click()
  const question = dialog(page, 'Empty Trash?')
  await expect(question).toContainText('All 3 emails in it will be deleted permanently.')
  await question.getByRole('button', { name: 'Empty Trash' }).click()
  await expect(list(page, 'Trash')).toContainText('Trash is empty')
  await expect(folder(page, 'Trash')).toHaveText('Trash')
})

test('spam is reported and taken back; stars and reading stay', async ({ page }) => {
  await withInbox(page, ['One', 'Two'])
  await button(await hover(page, 'Inbox', 'One'), 'Report spam').click()
  await expect(toast(page, 'Reported as spam')).toBeVisible()
  await goTo(page, 'Spam')
  await button(await hover(page, 'Spam', 'One'), 'Not spam').click()
  await expect(toast(page, 'Marked not spam')).toBeVisible()
  await goTo(page, 'Inbox')
  const one = await hover(page, 'Inbox', 'One')
  await button(one, 'Star').click()
  await expect(button(one, 'Star')).toHaveAttribute('aria-pressed', 'true')
  await button(one, 'Mark as read').click()
  await expect(toast(page, 'Marked as read')).toBeVisible()
  await expect(one).not.toContainText('(unread)')
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*1$/)
  await page.reload()
  await expect(button(one, 'Star')).toHaveAttribute('aria-pressed', 'true')
  await expect(one).not.toContainText('(unread)')
  await page.getByLabel('Filter').selectOption('Starred')
  await expect(page).toHaveURL(/filter=starred/)
  await expect(rows(page, 'Inbox')).toHaveCount(1)
  await page.getByLabel('Filter').selectOption('Unread')
  await expect(row(page, 'Inbox', 'Two')).toBeVisible()
  await expect(rows(page, 'Inbox')).toHaveCount(1)
})

test('the next mail opens when the open one is archived; u closes it unread', async ({ page }) => {
  await withInbox(page, ['One', 'Two', 'Three'])
  await row(page, 'Inbox', 'One').getByRole('link').click()
  await button(opened(page, 'One'), 'Archive').dblclick()
  await expect(opened(page, 'Two')).toBeVisible()
  await expect(rows(page, 'Inbox')).toHaveCount(2)
  await button(opened(page, 'Two'), 'Mark as unread').click()
  await expect(page).not.toHaveURL(/email=/)
  await expect(row(page, 'Inbox', 'Two')).toContainText('(unread)')
})

test('many at once: ranges, all of the page, Esc, Undo', async ({ page }) => {
  await withInbox(page, ['One', 'Two', 'Three', 'Four'])
  const bar = page.getByRole('toolbar', { name: 'Selected emails' })
  await page.getByLabel('Select One').check()
  await page.getByLabel('Select Three').click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 selected')
  await page.keyboard.press('Escape')
  await expect(bar).toBeHidden()
  await page.getByLabel('Select One').check()
  await page.getByLabel('Select Two').check()
  await button(bar, 'Mark as read').click()
  await expect(toast(page, '2 emails marked as read')).toBeVisible()
  await expect(row(page, 'Inbox', 'Two')).not.toContainText('(unread)')
  await button(bar, 'Star').click()
  await expect(button(row(page, 'Inbox', 'Two'), 'Star')).toHaveAttribute('aria-pressed', 'true')
  await button(bar, 'Archive').click()
  await expect(toast(page, '2 emails archived')).toBeVisible()
  await expect(rows(page, 'Inbox')).toHaveCount(2)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('z')
  await expect(rows(page, 'Inbox')).toHaveCount(4)
})

test('one sender with one subject is one row, and actions apply to all', async ({ page }) => {
  const name = NAMES[used++] ?? 'ada'
  const same = { from: 'Anna Berg <anna@bakery.example>', subject: 'Weekly offer' }
  await deliver(servers, name, [
    same,
    { ...same, subject: ' weekly OFFER' },
    { ...same, subject: 'Bread' },
    same,
  ])
  await withMailbox(page, servers, name, PASSWORD)
  await openMail(page)
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*4$/, { timeout: ARRIVES_MS })
  await expect(rows(page, 'Inbox')).toHaveCount(2)
  await expect(row(page, 'Inbox', 'Weekly offer')).toContainText('3 emails')
  await button(await hover(page, 'Inbox', 'Weekly offer'), 'Archive').click()
  await expect(rows(page, 'Inbox')).toHaveCount(1)
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*1$/)
  await goTo(page, 'Archived')
  await expect(rows(page, 'Archived')).toHaveCount(3)
})

test('keys perform actions, but not while somebody types', async ({ page }) => {
  await withInbox(page, ['One', 'Two', 'Three'])
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('j')
  await expect(row(page, 'Inbox', 'One').getByRole('link')).toBeFocused()
  await page.keyboard.press('s')
  await expect(button(row(page, 'Inbox', 'One'), 'Star')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('u')
  await expect(row(page, 'Inbox', 'One')).not.toContainText('(unread)')
  await page.keyboard.press('x')
  await expect(page.getByLabel('Select One')).toBeChecked()
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await expect(rows(page, 'Inbox')).toHaveCount(2)
  await expect(row(page, 'Inbox', 'Two').getByRole('link')).toBeFocused()
  await page.keyboard.press('z')
  await expect(rows(page, 'Inbox')).toHaveCount(3)
  await page.keyboard.press('#')
  await dialog(page, 'Move “Two” to trash?').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.keyboard.press('?')
  await expect(dialog(page, 'Keyboard shortcuts')).toContainText('Archive, or unarchive')
  await page.keyboard.press('Escape')
  // Keys belong to a dialog until it is gone.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/folder=sent/)
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(rows(page, 'Inbox')).toHaveCount(3)

  await page.keyboard.press('/')
  await page.keyboard.type('e#zg?')
  await expect(page.getByLabel('Search emails')).toHaveValue('e#zg?')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('what the server refuses comes back, with the words for it', async ({ page }) => {
  await withInbox(page, ['One', 'Two', 'Three'])
  const refuse = async (path: string) => {
    await page.route(`**/api/v1/emails/${path}`, (route) =>
      route.fulfill({ status: 409, json: { detail: 'No' } }),
    )
  }
  await refuse('archive/*')
  await button(await hover(page, 'Inbox', 'One'), 'Archive').click()
  await expect(toast(page, 'Failed to archive email')).toBeVisible()
  await expect(rows(page, 'Inbox')).toHaveCount(3)
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*3$/)

  await refuse('trash/*')
  const answered = page.waitForResponse('**/emails/trash/*')
  await button(await hover(page, 'Inbox', 'One'), 'Move to trash').click()
  await dialog(page, /to trash/)
    .getByRole('button', { name: 'Move to trash' })
    .click()
  await answered
  await expect(rows(page, 'Inbox')).toHaveCount(3)
  await expect(toast(page, 'No')).toHaveCount(0)

  await page.unrouteAll()
  await button(await hover(page, 'Inbox', 'Three'), 'Move to trash').click()
  await button(dialog(page, /to trash/), 'Move to trash').click()
  await goTo(page, 'Trash')
  for (const [name, path] of [
    ['Restore', 'restore/*'],
    ['Delete permanently', 'delete-from-trash/*'],
  ] as const) {
    await refuse(path)
    const refused = page.waitForResponse(`**/emails/${path}`)
    await button(await hover(page, 'Trash', 'Three'), name).click()
    await button(page.getByRole('dialog'), name).click()
    await refused
    await expect(rows(page, 'Trash')).toHaveCount(1)
  }
  await expect(toast(page, 'No')).toHaveCount(0)
  await goTo(page, 'Inbox')
  await page.unrouteAll()
  await button(await hover(page, 'Inbox', 'One'), 'Report spam').click()
  await button(await hover(page, 'Inbox', 'Two'), 'Archive').click()
  await refuse('unarchive/*')
  await refuse('not-spam')
  await goTo(page, 'Archived')
  await button(await hover(page, 'Archived', 'Two'), 'Unarchive').click()
  await expect(toast(page, 'Failed to move email back to original folder')).toBeVisible()
  await goTo(page, 'Spam')
  await button(await hover(page, 'Spam', 'One'), 'Not spam').click()
  await expect(toast(page, 'Failed')).toBeVisible()
  await expect(rows(page, 'Spam')).toHaveCount(1)
})
