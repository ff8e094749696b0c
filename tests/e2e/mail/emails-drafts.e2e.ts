import { expect, test } from '../../support/e2e.ts'
import { button, dialog, folder, inMail, opened, row, rows } from '../../support/mail-page.ts'
import { composeButton, TULIPS, words, write } from '../../support/mail-writing.ts'
import { toast } from '../../support/toast.ts'

test('drafts: kept while written, by Esc and by Save Draft; Cancel throws away', async ({ page }) => {
  await inMail(page)
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
  // What was thrown away does not come back.
  await composeButton(page).click()
  await expect(composer.getByLabel('Subject')).toHaveValue('')
  await button(composer, 'Save Draft').click()
  await expect(composer.getByRole('alert')).toHaveText(
    'Please fill in all required fields before saving draft',
  )
  await button(composer, 'Close').click()
  await expect(composer).toBeHidden()

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
  await page.reload()
  await expect(opened(page, 'Tulips and roses')).toContainText('Six boxes, please.')
})

test('a draft that cannot be kept stays open and says so', async ({ page }) => {
  await inMail(page)
  await page.route('**/api/v1/emails/save-draft', (route) => route.abort())
  const composer = await write(page, TULIPS)
  await expect(composer.getByText('Not saved yet')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(composer.getByRole('alert')).toHaveText('Failed to save draft')
  await expect(words(composer)).toHaveText('Three boxes, please.')
  await page.unrouteAll()
  await page.keyboard.press('Escape')
  await expect(toast(page, 'Kept in Drafts')).toBeVisible()
  await expect(composer).toBeHidden()
})

test('what is wrong is said beside its field', async ({ page }) => {
  await inMail(page)
  const composer = await write(page, { to: 'nobody', subject: '', content: '' })
  await button(composer, 'Send Email').click()
  await expect(composer).toContainText('Please enter a valid email address')
  await expect(composer).toContainText('Please enter a subject')
  await expect(composer).toContainText('Please write something')
  await expect(composer.getByLabel('To', { exact: true })).toBeFocused()
  // Half a draft is not sent by Enter.
  await composer.getByLabel('To', { exact: true }).fill('ben@garden.example')
  await composer.getByLabel('Subject').fill('Tulips')
  await expect(composer).not.toContainText('Please enter a subject')
  await words(composer).fill('Three')
  await composer.getByLabel('Subject').press('Enter')
  await expect(composer).toBeVisible()
})

test('without a mailbox the settings are explained, and nothing typed is lost', async ({ page }) => {
  await inMail(page, { mailbox: false })
  const composer = await write(page, TULIPS)
  const needed = dialog(page, 'Email Configuration Required')
  await expect(composer.getByRole('status', { name: 'From' })).toHaveText('you@example.com')
  await button(composer, 'Connect your mailbox').click()
  await button(needed, 'Maybe Later').click()
  await expect(words(composer)).toHaveText('Three boxes, please.')
  await button(composer, 'Send Email').click()
  await expect(needed).toBeVisible()
  await expect(composer).toBeHidden()
  await button(needed, 'Maybe Later').click()
  await expect(words(composer)).toHaveText('Three boxes, please.')

  // Within two seconds it would be a duplicate.
  await composer.getByLabel('Subject').fill('Tulips and roses')
  await button(composer, 'Send Email').click()
  await button(needed, 'Configure Now').click()
  await expect(page).toHaveURL(/\/profile$/)
  await page.goto('/emails?folder=drafts')
  await expect(row(page, 'Drafts', 'Tulips and roses')).toBeVisible()
})

test('a full disk is said in the draft, which stays as it is', async ({ page }) => {
  await inMail(page)
  const detail = 'There is no room left on the server, so this could not be kept.'
  for (const path of ['send', 'save-draft'])
    await page.route(`**/api/v1/emails/${path}`, (route) =>
      route.fulfill({ status: 503, json: { detail, code: 'UNAVAILABLE' } }),
    )
  const composer = await write(page, TULIPS)
  await button(composer, 'Send Email').click()
  await expect(composer.getByRole('alert')).toHaveText(detail)
  await page.unrouteAll()
  const subject = composer.getByLabel('Subject')
  const typed = await subject.inputValue()
  expect(typed).not.toBe('')
  await subject.fill(`${typed}, still`)
  await button(composer, 'Send Email').click()
  await expect(toast(page, 'Email sent')).toBeVisible()
})

test('a refusal keeps the draft; a double click is one mail', async ({ page }) => {
  await inMail(page)
  await page.route('**/api/v1/emails/send', (route) =>
    route.fulfill({ status: 400, json: { detail: 'The mail server refused this mail: 550 No such user' } }),
  )
  const composer = await write(page, TULIPS)
  await button(composer, 'Send Email').click()
  await expect(composer.getByRole('alert')).toHaveText('The mail server refused this mail: 550 No such user')
  await button(composer, 'Send Email').click()
  await expect(toast(page, 'Duplicate click ignored')).toBeVisible()
  await page.unrouteAll()
  await page.route('**/api/v1/emails/send', (route) => route.abort())
  await composer.getByLabel('Subject').fill('Tulips!')
  await button(composer, 'Send Email').click()
  await expect(composer.getByRole('alert')).toHaveText('Failed to send email')
  await page.unrouteAll()

  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/emails/send')) keys.push(request.headers()['idempotency-key'])
  })
  await composer.getByLabel('Subject').fill('Roses')
  await button(composer, 'Send Email').dblclick()
  await expect(toast(page, 'Email sent')).toBeVisible()
  // Recipient, subject and body, in characters that any header can carry.
  expect(keys).toEqual(['ben@garden.example-Roses-Three_boxes_please.'])
})
