import { expect, test } from '../support/e2e.ts'
import { act, dialog, folder, inMail, opened, row, rows, toast } from '../support/mail-page.ts'
import { composeButton, TULIPS, words, write } from '../support/mail-writing.ts'

test('drafts: kept while written, by Esc and by Save Draft; Cancel throws away', async ({ page }) => {
  await inMail(page)
  const letter = await write(page, TULIPS)
  await expect(letter.getByText('Saved in Drafts')).toBeVisible()
  await letter.getByLabel('Subject').fill('Tulips and roses')
  await page.keyboard.press('Escape')
  await expect(toast(page, 'Saved in Drafts')).toBeVisible()
  await expect(letter).toBeHidden()
  await expect(composeButton(page)).toBeFocused()
  await expect(folder(page, 'Drafts')).toHaveText(/^Drafts\s*1$/)

  await write(page, { ...TULIPS, subject: 'To be forgotten' })
  await expect(letter.getByText('Saved in Drafts')).toBeVisible()
  await act(letter, 'Cancel').click()
  await expect(letter).toBeHidden()
  await expect(folder(page, 'Drafts')).toHaveText(/^Drafts\s*1$/)
  // What was thrown away does not come back.
  await composeButton(page).click()
  await expect(letter.getByLabel('Subject')).toHaveValue('')
  await act(letter, 'Save Draft').click()
  await expect(letter.getByRole('alert')).toHaveText('Please fill in all required fields before saving draft')
  await act(letter, 'Close').click()
  await expect(letter).toBeHidden()

  await folder(page, 'Drafts').click()
  await expect(rows(page, 'Drafts')).toHaveCount(1)
  await row(page, 'Drafts', 'Tulips and roses').getByRole('link').click()
  await act(opened(page, 'Tulips and roses'), 'Edit draft').click()
  const draft = dialog(page, 'Edit draft')
  await expect(words(draft)).toHaveText('Three boxes, please.')
  await words(draft).fill('Five boxes, please.')
  await expect(draft.getByText('Saved in Drafts')).toBeVisible()
  // An older draft is again what it was.
  await act(draft, 'Cancel').click()
  await expect(opened(page, 'Tulips and roses')).toContainText('Three boxes, please.')
  await act(opened(page, 'Tulips and roses'), 'Edit draft').click()
  await words(draft).fill('Six boxes, please.')
  await act(draft, 'Save Draft').click()
  await expect(toast(page, 'Draft saved successfully')).toBeVisible()
  await expect(opened(page, 'Tulips and roses')).toContainText('Six boxes, please.')
  await page.reload()
  await expect(opened(page, 'Tulips and roses')).toContainText('Six boxes, please.')
})

test('a draft that cannot be kept stays open and says so', async ({ page }) => {
  await inMail(page)
  await page.route('**/api/v1/emails/save-draft', (route) => route.abort())
  const letter = await write(page, TULIPS)
  await expect(letter.getByText('Not saved yet')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(letter.getByRole('alert')).toHaveText('Failed to save draft')
  await expect(words(letter)).toHaveText('Three boxes, please.')
  await page.unrouteAll()
  await page.keyboard.press('Escape')
  await expect(toast(page, 'Saved in Drafts')).toBeVisible()
  await expect(letter).toBeHidden()
})

test('what is wrong is said beside its field', async ({ page }) => {
  await inMail(page)
  const letter = await write(page, { to: 'nobody', subject: '', content: '' })
  await act(letter, 'Send Email').click()
  await expect(letter).toContainText('Please enter a valid email address')
  await expect(letter).toContainText('Please enter a subject')
  await expect(letter).toContainText('Please write something')
  await expect(letter.getByLabel('To', { exact: true })).toBeFocused()
  // Half a letter is not sent by Enter.
  await letter.getByLabel('To', { exact: true }).fill('ben@garden.example')
  await letter.getByLabel('Subject').fill('Tulips')
  await expect(letter).not.toContainText('Please enter a subject')
  await words(letter).fill('Three')
  await letter.getByLabel('Subject').press('Enter')
  await expect(letter).toBeVisible()
})

test('without a mailbox the settings are explained, and nothing typed is lost', async ({ page }) => {
  await inMail(page, { mailbox: false })
  const letter = await write(page, TULIPS)
  const needed = dialog(page, 'Email Configuration Required')
  await expect(letter.getByRole('status', { name: 'From' })).toHaveText('you@example.com')
  await act(letter, 'Connect your mailbox').click()
  await act(needed, 'Maybe Later').click()
  await expect(words(letter)).toHaveText('Three boxes, please.')
  await act(letter, 'Send Email').click()
  await expect(needed).toBeVisible()
  await expect(letter).toBeHidden()
  await act(needed, 'Maybe Later').click()
  await expect(words(letter)).toHaveText('Three boxes, please.')

  // Within two seconds it would be a duplicate.
  await letter.getByLabel('Subject').fill('Tulips and roses')
  await act(letter, 'Send Email').click()
  await act(needed, 'Configure Now').click()
  await expect(page).toHaveURL(/\/profile$/)
  await page.goto('/emails?folder=drafts')
  await expect(row(page, 'Drafts', 'Tulips and roses')).toBeVisible()
})

test('a full disk is said in the letter, which stays as it is', async ({ page }) => {
  await inMail(page)
  const detail = 'There is no room left on the server, so this could not be kept.'
  for (const path of ['send', 'save-draft'])
    await page.route(`**/api/v1/emails/${path}`, (route) =>
      route.fulfill({ status: 503, json: { detail, code: 'UNAVAILABLE' } }),
    )
  const letter = await write(page, TULIPS)
  await act(letter, 'Send Email').click()
  await expect(letter.getByRole('alert')).toHaveText(detail)
  await page.unrouteAll()
  const subject = letter.getByLabel('Subject')
  const typed = await subject.inputValue()
  expect(typed).not.toBe('')
  await subject.fill(`${typed}, still`)
  await act(letter, 'Send Email').click()
  await expect(toast(page, 'Email sent')).toBeVisible()
})

test('a refusal keeps the letter; a double click is one mail', async ({ page }) => {
  await inMail(page)
  await page.route('**/api/v1/emails/send', (route) =>
    route.fulfill({ status: 400, json: { detail: 'The mail server refused this mail: 550 No such user' } }),
  )
  const letter = await write(page, TULIPS)
  await act(letter, 'Send Email').click()
  await expect(letter.getByRole('alert')).toHaveText('The mail server refused this mail: 550 No such user')
  await act(letter, 'Send Email').click()
  await expect(toast(page, 'Duplicate click ignored')).toBeVisible()
  await page.unrouteAll()
  await page.route('**/api/v1/emails/send', (route) => route.abort())
  await letter.getByLabel('Subject').fill('Tulips!')
  await act(letter, 'Send Email').click()
  await expect(letter.getByRole('alert')).toHaveText('Failed to send email')
  await page.unrouteAll()

  const keys: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/emails/send')) keys.push(request.headers()['idempotency-key'])
  })
  await letter.getByLabel('Subject').fill('Roses')
  await act(letter, 'Send Email').dblclick()
  await expect(toast(page, 'Email sent')).toBeVisible()
  // Recipient, subject and body, in characters that any header can carry.
  expect(keys).toEqual(['ben@garden.example-Roses-Three_boxes_please.'])
})
