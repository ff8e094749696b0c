import type { BrowserContext, Page } from '@playwright/test'
import { assistant } from '#contract/assistant/assistant.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { todos } from '#contract/crm/todos.ts'
import { addAnn, box, button, chats, dialog, log, messages, onPage, said } from '../../support/chat-page.ts'
import { ask, type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { mailAccountAt } from '../../support/mail-account.ts'
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { toast } from '../../support/toast.ts'

/** Asks by keyboard and waits for the end of the answer. */
async function say(page: Page, text: string): Promise<void> {
  const before = await said(page, 'Works by rules').count()
  await box(page).fill(text)
  await box(page).press('Enter')
  await expect(said(page, 'Works by rules')).toHaveCount(before + 1)
}

test('a question is suggested, edited, retried and copied, its facts name their sources, and nothing is doubled', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const user = await onPage(page)
  const ann = await addAnn(page, user)
  await page
    .getByRole('list', { name: 'Suggestions' })
    .getByRole('button', { name: 'What are my numbers?' })
    .click()
  await expect(said(page, 'Your numbers now:')).toContainText('Works by rules')
  // The first message gives the conversation its title.
  const row = chats(page).getByRole('button', { name: 'What are my numbers?', exact: true })
  await expect(row).toHaveAttribute('aria-current', 'true')
  await say(page, 'What can you do?')
  await said(page, 'What can you do?').hover()
  await page.getByRole('button', { name: 'Edit question' }).click()
  const edit = page.getByRole('textbox', { name: 'Question', exact: true })
  await edit.fill('Find Ann Lee')
  await edit.press('Enter')
  await expect(said(page, 'ann@acme.example')).toHaveCount(1)
  await expect(said(page, 'What can you do?')).toHaveCount(0)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(button(page, 'Stop')).toBeHidden()
  await expect(said(page, 'ann@acme.example')).toHaveCount(1)
  await expect(messages(page)).toHaveCount(4)
  const [session, ...others] = await ask(page, user, assistant.sessions)
  expect(others).toEqual([])
  expect(session).toMatchObject({ title: 'What are my numbers?', is_active: true })
  // The new answer may still be on its way into the place of the old one.
  const stored = async () => {
    const { messages } = await ask(page, user, assistant.getSession, undefined, { id: session?.id ?? 0 })
    return messages.map(({ role }) => role)
  }
  await expect.poll(stored).toEqual(['user', 'assistant', 'user', 'assistant'])
  await page.getByRole('button', { name: 'Copy answer' }).last().click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('ann@acme.example')

  await said(page, 'ann@acme.example')
    .getByRole('link', { name: /^Source 1: Ann Lee/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`/contacts/${ann.id}$`))
  await page.goBack()
  await expect(said(page, 'ann@acme.example')).toHaveCount(1)
})

test('a conversation is begun about a contact, selected, open again after a reload, renamed and deleted', async ({
  page,
}) => {
  const user = await signedIn(page)
  await addAnn(page, user)
  for (const title of ['First', 'Second']) await ask(page, user, assistant.addSession, { title })
  await page.goto('/simon')
  const row = (title: string) => chats(page).getByRole('button', { name: title, exact: true })
  await expect(row('Second')).toHaveAttribute('aria-current', 'true')
  const told = page.waitForResponse(/\/chat\/sessions\/\d+\/activate$/)
  await row('First').click()
  await told
  const sessions = await ask(page, user, assistant.sessions)
  expect(sessions.filter((each) => each.is_active).map(({ title }) => title)).toEqual(['First'])
  await ask(page, user, assistant.activateSession, undefined, {
    id: sessions.find(({ title }) => title === 'Second')?.id ?? 0,
  })
  await page.reload()
  await expect(row('First')).toHaveAttribute('aria-current', 'true')

  await button(page, 'New Chat').click()
  const form = dialog(page, 'New Chat')
  await form.getByLabel('Name').fill('Offer for Acme')
  await form.getByRole('combobox', { name: 'Contact' }).fill('Ann')
  await form.getByRole('option', { name: /Ann Lee/ }).click()
  await form.getByRole('button', { name: 'Create Chat' }).click()
  await expect(row('Offer for Acme About Ann Lee')).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('main').getByRole('link', { name: 'Ann Lee', exact: true })).toHaveAttribute(
    'href',
    /\/contacts\/\d+$/,
  )
  const [added] = await ask(page, user, assistant.sessions)
  expect(added).toMatchObject({
    title: 'Offer for Acme',
    contact_name: 'Ann Lee',
    contact_email: 'ann@acme.example',
  })

  await page.getByRole('button', { name: 'More actions for Offer for Acme' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await dialog(page, 'Rename chat').getByLabel('Name').fill('Renamed')
  await dialog(page, 'Rename chat').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'More actions for Renamed' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page, 'Delete “Renamed”?').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(toast(page, 'Chat deleted')).toBeVisible()
  await expect(page.getByText('What do you want to know?')).toBeVisible()
  // The first message begins another one; the others stay as they are.
  await say(page, 'What are my numbers?')
  await expect(chats(page).getByRole('listitem')).toHaveCount(3)
})

async function anotherTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto('/simon')
  return tab
}

test.describe('a proposal', () => {
  const card = (page: Page) =>
    log(page).getByRole('region', { name: /^(Schedule|Add the task|Send an email)/ })

  async function proposed(page: Page, question: string): Promise<E2eUser> {
    const user = await onPage(page)
    await addAnn(page, user)
    await say(page, question)
    await expect(card(page)).toHaveCount(1)
    return user
  }

  /** The user's mail leaves by this server. */
  async function connectMailbox(page: Page, user: E2eUser, { port }: SmtpSink): Promise<void> {
    await ask(page, user, mailboxSetup.save, mailAccountAt({ port }))
  }

  test('shows every line, does nothing by itself, and is done once by twenty clicks', async ({ page }) => {
    const user = await proposed(page, 'Schedule a call with Ann Lee next Friday at 3 pm')
    await expect(card(page)).toContainText(/Title.*When.*15:00.*Ann Lee/s)
    await expect(card(page)).toContainText('Waiting for you')
    expect(await ask(page, user, meetings.list)).toEqual([])
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/approve')) calls.push(String(request.postData()))
    })
    await card(page)
      .getByRole('button', { name: 'Approve' })
      .evaluate((element) => {
        for (let click = 0; click < 20; click += 1) (element as HTMLElement).click()
      })
    await expect(card(page)).toContainText('Done')
    expect(await ask(page, user, meetings.list)).toHaveLength(1)
    expect(new Set(calls).size).toBe(1)
    expect(calls[0]).toMatch(/^\{"hash":"[\da-f]{64}"\}$/)
    await expect(card(page).getByRole('button')).toHaveCount(0)
    await expect(card(page).getByRole('status')).toBeFocused()
    await card(page).getByRole('link').click()
    await expect(page).toHaveURL(/\/meetings/)
  })

  test('is edited into a new one, which is what is done', async ({ page, context }) => {
    const user = await proposed(page, 'Remind me to call Ann Lee tomorrow')
    await button(page, 'Edit').click()
    const form = page.getByRole('form', { name: 'Edit proposal' })
    await expect(form.getByLabel('Title')).toBeFocused()
    await form.getByLabel('Title').fill('Ring Ann about the offer')
    await form.getByLabel('Priority').selectOption('High')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(card(page)).toHaveCount(1)
    await expect(card(page)).toContainText('Waiting for you')
    await expect(card(page).last()).toContainText('Ring Ann about the offer')
    // Another tab, and this one after a reload, show the new one in its place.
    const other = await anotherTab(context)
    await page.reload()
    for (const tab of [page, other]) {
      await expect(card(tab)).toHaveCount(1)
      await expect(card(tab)).toContainText('Ring Ann about the offer')
    }
    await card(page).getByRole('button', { name: 'Approve' }).click()
    for (const tab of [page, other]) await expect(card(tab)).toContainText('Done')
    const added = await ask(page, user, todos.list)
    expect(added).toMatchObject([{ title: 'Ring Ann about the offer', priority: 'high' }])
  })

  test('an email that the server refuses is told on the card, with the way to the draft', async ({
    page,
  }) => {
    const sink = await startSmtpSink()
    try {
      const user = await proposed(page, 'Write to Ann Lee about the offer: The offer is on its way.')
      // Without a mailbox it is not sent, and may be approved again.
      await button(page, 'Approve').click()
      await expect(card(page).getByRole('link', { name: 'Profile & Settings' })).toBeVisible()
      await connectMailbox(page, user, sink)
      sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '550 5.1.1 No such user' } : undefined))
      await button(page, 'Approve').click()
      await expect(card(page)).toContainText('Not sent')
      await expect(card(page)).toContainText('The mail server refused this mail: 550 5.1.1 No such user')
      await expect(card(page).getByRole('button')).toHaveCount(0)
      await page.reload()
      await card(page).getByRole('link', { name: 'Open the draft' }).click()
      await expect(page.getByRole('main')).toContainText('The offer is on its way.')
    } finally {
      await sink.stop()
    }
  })
})

test('the widget goes from a contact’s page to others, with a conversation about them', async ({ page }) => {
  const widget = page.getByRole('dialog', { name: 'Wolfy' })
  const user = await signedIn(page)
  const ann = await addAnn(page, user)
  await page.goto(`/contacts/${ann.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Ann Lee' })).toBeVisible()
  await button(page, 'Ask Wolfy').click()
  await widget.getByRole('button', { name: 'Remind me to call Ann Lee tomorrow' }).click()
  await expect(widget.getByRole('region', { name: /^Add the task/ })).toContainText('Ann Lee')
  await expect(widget.getByText('About Ann Lee')).toBeVisible()
  // What has just been asked is not suggested again.
  await say(page, 'What are my numbers?')
  await expect(page.getByRole('list', { name: 'Suggestions' })).not.toContainText('What are my numbers?')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
  await expect(said(page, 'Works by rules')).toHaveCount(2)
  await widget.getByRole('button', { name: 'New conversation' }).click()
  await expect(said(page, 'Works by rules')).toHaveCount(0)
  await say(page, 'What are my numbers?')

  await page.goto(`/contacts/${ann.id}`)
  await button(page, 'Ask Wolfy about Ann Lee').click()
  await expect(box(page)).toBeFocused()
  await say(page, 'Write to her about the offer: It is on its way.')
  const mail = widget.getByRole('region', { name: /^Send an email/ })
  await expect(mail).toContainText('ann@acme.example')
  await expect(widget.getByRole('link', { name: 'Ann Lee', exact: true })).toHaveAttribute(
    'href',
    `/contacts/${ann.id}`,
  )
  const sessions = await ask(page, user, assistant.sessions)
  expect(sessions.map((each) => each.contact_email)).toEqual(['ann@acme.example', '', 'ann@acme.example'])
  // Once the contact has another address, the page says whom it was about, without a link.
  await ask(page, user, contacts.update, { email: 'ann@other.example' }, { id: ann.id })
  await widget.getByRole('link', { name: 'Open the full page' }).click()
  await expect(page).toHaveURL(/\/simon$/)
  await expect(widget).toBeHidden()
  await page.reload()
  await expect(page.getByRole('main')).toContainText('About Ann Lee')
  await expect(page.getByRole('main').getByRole('link', { name: 'Ann Lee', exact: true })).toHaveCount(0)
})
