import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openPage } from '../../../../tests/support/component-page.tsx'
import {
  button,
  dialog,
  fakeMailbox,
  opened,
  openMail,
  row,
  rowLink,
  rows,
  search,
} from '../../../../tests/support/fake-mailbox.ts'

const inboxOf = (...subjects: string[]) =>
  fakeMailbox(...subjects.map((subject) => ({ subject, isStarred: false })))
const count = (where: string) => expect.poll(() => rows(where).elements().length)
const keys = (text: string) => userEvent.keyboard(text)
const onPage = () => page.getByRole('heading', { level: 1 }).click()

test('the keyboard walks, opens and closes', async () => {
  inboxOf('Third', 'Second', 'First')
  await openMail()
  await count('Inbox').toBe(3)
  await onPage()
  await keys('j')
  await keys('j')
  await keys('k')
  await expect.element(rowLink('Inbox', 'Third')).toHaveFocus()
  await keys('{Enter}')
  await expect.element(opened('Third')).toBeVisible()
  await keys('j')
  await expect.element(opened('Second')).toBeVisible()
  await keys('{Escape}')
  await expect.poll(() => location.search).not.toContain('email=')
  await expect.element(rowLink('Inbox', 'Second')).toHaveFocus()
})

test('keys perform actions, but not while somebody types', async () => {
  inboxOf('One', 'Two', 'Three')
  await openMail()
  await count('Inbox').toBe(3)
  await onPage()
  await keys('j')
  await expect.element(rowLink('Inbox', 'One')).toHaveFocus()
  await keys('s')
  await expect.element(button(row('Inbox', 'One'), 'Star')).toHaveAttribute('aria-pressed', 'true')
  await keys('u')
  await expect.element(row('Inbox', 'One')).not.toMatchTextContent('(unread)')
  await keys('x')
  await expect.element(page.getByLabelText('Select One')).toBeChecked()
  await keys('{Escape}')
  await keys('e')
  await count('Inbox').toBe(2)
  await expect.element(rowLink('Inbox', 'Two')).toHaveFocus()
  await keys('z')
  await count('Inbox').toBe(3)
  await keys('#')
  await button(dialog('Move “Two” to trash?'), 'Cancel').click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()

  await keys('?')
  await expect.element(dialog('Keyboard shortcuts')).toMatchTextContent('Archive, or unarchive')
  await keys('{Escape}')
  // Keys belong to a dialog until it is gone.
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  // The second key comes within 1.5 s, unless the machine is slow: then again.
  for (const [second, name] of [
    ['s', 'sent'],
    ['i', 'inbox'],
  ])
    await expect
      .poll(async () => {
        await keys(`g${second}`)
        return location.search
      })
      .toContain(`folder=${name}`)
  await count('Inbox').toBe(3)

  await keys('/')
  await keys('e#zg?')
  await expect.element(search).toHaveValue('e#zg?')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('a long page draws what can be seen, and the keys reach the rest', async () => {
  inboxOf(...Array.from({ length: 48 }, (_, index) => `Offer ${index + 1}.`))
  openPage('/emails?page_size=50')
  await expect.element(page.getByText('Showing 1 to 48 of 48 emails')).toBeVisible()
  await expect.element(rows('Inbox').first()).toHaveAttribute('aria-setsize', '48')
  expect(rows('Inbox').elements().length).toBeLessThan(40)
  await onPage()
  await keys('k')
  await expect.element(rowLink('Inbox', 'Offer 48.')).toHaveFocus()
  await expect.element(row('Inbox', 'Offer 48.')).toBeInViewport()
  await keys('k')
  await expect.element(rowLink('Inbox', 'Offer 47.')).toHaveFocus()
})
