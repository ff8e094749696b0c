import { expect, test } from '../../support/e2e.ts'
import { button, dialog, folder, inMail, opened, row, rows } from '../../support/mail-page.ts'
import { composeButton, TULIPS, words, write } from '../../support/mail-writing.ts'
import { toast } from '../../support/toast.ts'

test('drafts: kept while written, by Esc, by Save Draft and on the way to the settings; Cancel throws away', async ({
  page,
}) => {
  await inMail(page, { mailbox: false })
  const composer = await write(page, TULIPS)
  await expect(composer.getByText('Saved in Drafts')).toBeVisible()
  await composer.getByLabel('Subject').fill('Tulips and roses')
  await page.keyboard.press('Escape')
  await expect(toast(page, 'Kept in Drafts')).toBeVisible()
  await expect(composer).toBeHidden()
  await expect(composeButton(page)).toBeFocused()
  await expect(folder(page, 'Drafts')).toHaveText(/^Drafts\s*1$/)

  await write(page, { ...TULIPS, subject: 'To be forgotten' })
  await expect(composer.getByText('Saved in Drafts')).toBeVisible()
  await button(composer, 'Cancel').click()
  await expect(composer).toBeHidden()
  await expect(folder(page, 'Drafts')).toHaveText(/^Drafts\s*1$/)

  await folder(page, 'Drafts').click()
  await expect(rows(page, 'Drafts')).toHaveCount(1)
  await row(page, 'Drafts', 'Tulips and roses').getByRole('link').click()
  await button(opened(page, 'Tulips and roses'), 'Edit draft').click()
  const draft = dialog(page, 'Edit draft')
  await expect(words(draft)).toHaveText('Three boxes, please.')
  await words(draft).fill('Five boxes, please.')
  await expect(draft.getByText('Saved in Drafts')).toBeVisible()
  // An older draft is again what it was.
  await button(draft, 'Cancel').click()
  await expect(opened(page, 'Tulips and roses')).toContainText('Three boxes, please.')
  await button(opened(page, 'Tulips and roses'), 'Edit draft').click()
  await words(draft).fill('Six boxes, please.')
  await button(draft, 'Save Draft').click()
  await expect(toast(page, 'Draft saved successfully')).toBeVisible()
  await expect(opened(page, 'Tulips and roses')).toContainText('Six boxes, please.')

  // What was thrown away does not come back.
  await composeButton(page).click()
  await expect(composer.getByLabel('Subject')).toHaveValue('')
  await button(composer, 'Close').click()
  await expect(composer).toBeHidden()
  await write(page, { ...TULIPS, subject: 'Not connected' })
  await button(composer, 'Send Email').click()
  await button(dialog(page, 'Email Configuration Required'), 'Configure Now').click()
  await expect(page).toHaveURL(/\/profile$/)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Email' }).click()
  await folder(page, 'Drafts').click()
  await expect(row(page, 'Drafts', 'Not connected')).toBeVisible()
  await row(page, 'Drafts', 'Tulips and roses').getByRole('link').click()
  await expect(opened(page, 'Tulips and roses')).toContainText('Six boxes, please.')
})
