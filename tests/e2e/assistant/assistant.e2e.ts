import type { BrowserContext, Page } from '@playwright/test'
import { Client } from 'pg'
import { assistant } from '#contract/assistant/assistant.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { todos } from '#contract/crm/todos.ts'
import {
  addAnn,
  ask,
  box,
  button,
  chats,
  dialog,
  log,
  messages,
  onPage,
  said,
} from '../../support/chat-page.ts'
import { type E2eUser, expect, newUser, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { toast } from '../../support/toast.ts'

const CHAT = '**/api/v1/wolfy/chat'
const BROKEN = 'Sorry, I encountered an error. Please try again.'

/** Asks by keyboard and waits for the end of the answer. */
async function say(page: Page, text: string): Promise<void> {
  const before = await said(page, 'Works by rules').count()
  await box(page).fill(text)
  await box(page).press('Enter')
  await expect(said(page, 'Works by rules')).toHaveCount(before + 1)
}

async function query(databaseUrl: string, statement: string, values: unknown[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}

test('is an entry of the navigation, and has two addresses and a title', async ({ page }) => {
  await signedIn(page)
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Wolfy' }).click()
  await expect(page).toHaveURL(/\/simon$/)
  await expect(page).toHaveTitle('AI Business Assistant · Howl')
  await expect(page.getByRole('heading', { level: 1, name: 'AI Business Assistant' })).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Select Chat Session' })).toContainText('No chats yet')
  await page.goto('/wolfy')
  await expect(page.getByRole('heading', { level: 1, name: 'AI Business Assistant' })).toBeVisible()
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Wolfy' }),
  ).toHaveAttribute('aria-current', 'page')
  // His own page needs no widget.
  await expect(button(page, 'Ask Wolfy')).toBeHidden()
})

test('Enter sends, Shift+Enter does not, and nothing empty is sent', async ({ page }) => {
  await onPage(page)
  let questions = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/wolfy/chat')) questions += 1
  })
  await box(page).press('Enter')
  await box(page).fill('   ')
  await box(page).press('Enter')
  await button(page, 'Send').click({ force: true })
  await expect(log(page)).toBeHidden()
  await box(page).fill('What are')
  await box(page).press('Shift+Enter')
  await box(page).pressSequentially('my numbers?')
  await expect(box(page)).toHaveValue('What are\nmy numbers?')
  expect(questions).toBe(0)
  await box(page).press('Enter')
  await expect(said(page, 'Works by rules')).toHaveCount(1)
  await expect(box(page)).toHaveValue('')
  await expect(box(page)).toBeFocused()
  expect(questions).toBe(1)
})

test('the first message begins a conversation, which gets its title', async ({ page }) => {
  const user = await onPage(page)
  await page
    .getByRole('list', { name: 'Suggestions' })
    .getByRole('button', { name: 'What are my numbers?' })
    .click()
  await expect(said(page, 'Your numbers now:')).toHaveCount(1)
  await expect(
    chats(page).getByRole('button', { name: 'What are my numbers?', exact: true }),
  ).toHaveAttribute('aria-current', 'true')
  await say(page, 'What is due today?')
  const [session, ...others] = await ask(page, user, assistant.sessions)
  expect(others).toEqual([])
  expect(session).toMatchObject({ title: 'What are my numbers?', is_active: true })
})

test('facts name their sources, which are pages of Howl', async ({ page }) => {
  const user = await onPage(page)
  const ann = await addAnn(page, user)
  await say(page, 'Find Ann Lee')
  const answer = said(page, 'ann@acme.example')
  await answer.getByRole('link', { name: /^Source 1: Ann Lee/ }).click()
  await expect(page).toHaveURL(new RegExp(`/contacts/${ann.id}$`))
  await page.goBack()
  await expect(said(page, 'ann@acme.example')).toHaveCount(1)
})

test('a suggestion asks, a question is edited, an answer is retried and copied, and nothing is doubled', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const user = await onPage(page)
  await say(page, 'What can you do?')
  await said(page, 'What can you do?').hover()
  await page.getByRole('button', { name: 'Edit question' }).click()
  const edit = page.getByRole('textbox', { name: 'Question', exact: true })
  await expect(edit).toBeFocused()
  await edit.press('Escape')
  await expect(edit).toBeHidden()
  await page.getByRole('button', { name: 'Edit question' }).click()
  await edit.fill('What are my numbers?')
  await edit.press('Enter')
  await expect(said(page, 'Your numbers now:')).toHaveCount(1)
  await expect(said(page, 'What can you do?')).toHaveCount(0)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(button(page, 'Stop')).toBeHidden()
  await expect(said(page, 'Your numbers now:')).toHaveCount(1)
  await expect(said(page, 'What are my numbers?')).toHaveCount(1)
  const [session] = await ask(page, user, assistant.sessions)
  const { messages } = await ask(page, user, assistant.getSession, undefined, { id: session?.id ?? 0 })
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  await page.getByRole('button', { name: 'Copy answer' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Your numbers now:')
})

test.describe('conversations', () => {
  async function withChats(page: Page, ...titles: string[]): Promise<E2eUser> {
    const user = await signedIn(page)
    for (const title of titles) await ask(page, user, assistant.addSession, { title })
    await page.goto('/simon')
    await expect(chats(page).getByRole('listitem')).toHaveCount(titles.length)
    return user
  }
  const row = (page: Page, title: string) => chats(page).getByRole('button', { name: title, exact: true })

  test('selecting one makes it the only active one, and it is open again after a reload', async ({
    page,
  }) => {
    const user = await withChats(page, 'First', 'Second', 'Third')
    await expect(row(page, 'Third')).toHaveAttribute('aria-current', 'true')
    const told = page.waitForResponse(/\/chat\/sessions\/\d+\/activate$/)
    await row(page, 'First').click()
    await told
    await expect(row(page, 'First')).toHaveAttribute('aria-current', 'true')
    const sessions = await ask(page, user, assistant.sessions)
    expect(sessions.filter((each) => each.is_active).map(({ title }) => title)).toEqual(['First'])
    await ask(page, user, assistant.activateSession, undefined, {
      id: sessions.find(({ title }) => title === 'Second')?.id ?? 0,
    })
    await page.reload()
    await expect(row(page, 'First')).toHaveAttribute('aria-current', 'true')
  })

  test('if the last one cannot be loaded, the active one is opened and the memory cleared', async ({
    page,
  }) => {
    const user = await withChats(page, 'First', 'Second')
    const key = `wolfy.lastSession.${user.id}`
    await page.evaluate((name) => localStorage.setItem(name, '999999'), key)
    await page.reload()
    await expect(row(page, 'Second')).toHaveAttribute('aria-current', 'true')
    expect(await page.evaluate((name) => localStorage.getItem(name), key)).not.toBe('999999')
  })

  test('log-out forgets which one was open', async ({ page }) => {
    const user = await withChats(page, 'First', 'Second')
    await row(page, 'First').click()
    const key = `wolfy.lastSession.${user.id}`
    await expect.poll(() => page.evaluate((name) => localStorage.getItem(name), key)).not.toBeNull()
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/$/)
    expect(await page.evaluate((name) => localStorage.getItem(name), key)).toBeNull()
  })

  test('a new chat needs a name, and may be about a contact', async ({ page }) => {
    const user = await withChats(page, 'First')
    await addAnn(page, user)
    await button(page, 'New Chat').click()
    const form = dialog(page, 'New Chat')
    await form.getByLabel('Name').fill('   ')
    await form.getByRole('button', { name: 'Create Chat' }).click()
    await expect(form).toContainText('Please enter a name')
    await form.getByLabel('Name').fill('Offer for Acme')
    await form.getByRole('combobox', { name: 'Contact' }).fill('Ann')
    await form.getByRole('option', { name: /Ann Lee/ }).click()
    await page.route('**/api/v1/chat/sessions', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
    )
    await form.getByRole('button', { name: 'Create Chat' }).click()
    await expect(form.getByRole('alert')).toHaveText('Failed to create new chat session. Please try again.')
    await page.unroute('**/api/v1/chat/sessions')
    await form.getByRole('button', { name: 'Create Chat' }).click()
    await expect(form).toBeHidden()
    await expect(row(page, 'Offer for Acme About Ann Lee')).toHaveAttribute('aria-current', 'true')
    await expect(page.getByRole('main').getByRole('link', { name: 'Ann Lee', exact: true })).toHaveAttribute(
      'href',
      /\/contacts\/\d+$/,
    )
    const [session] = await ask(page, user, assistant.sessions)
    expect(session).toMatchObject({
      title: 'Offer for Acme',
      contact_name: 'Ann Lee',
      contact_email: 'ann@acme.example',
    })
  })

  test('one is renamed; deleting asks first and leads to a new conversation', async ({ page }) => {
    await withChats(page, 'First', 'Second')
    await page.getByRole('button', { name: 'More actions for Second' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await dialog(page, 'Rename chat').getByLabel('Name').fill('Renamed')
    await dialog(page, 'Rename chat').getByRole('button', { name: 'Rename' }).click()
    await expect(row(page, 'Renamed')).toBeVisible()
    await page.getByRole('button', { name: 'More actions for Renamed' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const asked = dialog(page, 'Delete “Renamed”?')
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await expect(row(page, 'Renamed')).toBeVisible()
    await page.getByRole('button', { name: 'More actions for Renamed' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await asked.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(toast(page, 'Chat deleted')).toBeVisible()
    await expect(row(page, 'Renamed')).toHaveCount(0)
    await expect(page.getByText('What do you want to know?')).toBeVisible()
    // The first message begins another one; the first conversation stays as it is.
    await say(page, 'What are my numbers?')
    await expect(chats(page).getByRole('listitem')).toHaveCount(2)
  })

  test('the list is searched, cuts titles at 30 characters, and shows 5 when it is collapsed', async ({
    page,
  }) => {
    const long = 'A title that is much longer than thirty characters'
    await withChats(page, 'One', 'Two', 'Three', 'Four', 'Five', long)
    await expect(row(page, `${long.slice(0, 30).trimEnd()}…`)).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('thr')
    await expect(row(page, 'Three')).toBeVisible()
    await expect(row(page, 'One')).toHaveCount(0)
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('nothing like it')
    await expect(page.getByText('No chat found for “nothing like it”.')).toBeVisible()
    await page.getByRole('button', { name: 'Collapse chats' }).click()
    await expect(chats(page).getByRole('button')).toHaveCount(5)
    await row(page, 'Three').click()
    await expect(
      page.getByRole('banner').or(page.getByRole('main')).getByText('Three', { exact: true }).first(),
    ).toBeVisible()
    await page.reload()
    await expect(chats(page).getByRole('button')).toHaveCount(5)
    await page.getByRole('button', { name: 'Expand chats' }).click()
    await expect(page.getByRole('searchbox', { name: 'Search chats' })).toBeVisible()
  })

  test('on a phone with its keyboard open the conversation has the room', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await onPage(page)
    const bar = page.getByRole('navigation', { name: 'Main' })
    await expect(bar).toBeVisible()
    await page.setViewportSize({ width: 390, height: 450 })
    await expect(bar).toBeHidden()
    await say(page, 'What are my numbers?')
    await expect(box(page)).toBeInViewport({ ratio: 1 })
    const room = await page.getByRole('region', { name: 'Messages' }).boundingBox()
    expect(room?.height).toBeGreaterThan(220)
  })

  test('on a phone the list lies over the conversation', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const user = await signedIn(page)
    for (const title of ['First', 'Second']) await ask(page, user, assistant.addSession, { title })
    await page.goto('/simon')
    await button(page, 'Chats').click()
    const list = dialog(page, 'Select Chat Session')
    await list.getByRole('button', { name: 'First', exact: true }).click()
    await expect(list).toBeHidden()
    await expect(page.getByRole('main')).toContainText('First')
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide).toBeLessThanOrEqual(390)
  })
})

test('a question that is too long is kept, says by how much, and is not sent', async ({ page }) => {
  await onPage(page)
  await box(page).fill(`What are my numbers? ${'x'.repeat(4000)}`)
  await box(page).press('Enter')
  await expect(page.getByText('21 characters too long')).toBeVisible()
  await expect(log(page)).toBeHidden()
  await expect(box(page)).toHaveValue(/^What are my numbers\? x{4000}$/)
  await box(page).fill('What are my numbers?')
  await box(page).press('Enter')
  await expect(said(page, 'Your numbers now:')).toHaveCount(1)
})

test.describe('when no answer comes', () => {
  test('the question stays, Retry works, and it is answered once', async ({ page }) => {
    const user = await onPage(page)
    await page.route(CHAT, (route) => route.fulfill({ status: 500, json: {} }))
    await box(page).fill('What are my numbers?')
    await box(page).press('Enter')
    await expect(said(page, BROKEN)).toHaveCount(1)
    await expect(said(page, 'What are my numbers?')).toHaveCount(1)
    await page.unroute(CHAT)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(said(page, 'Your numbers now:')).toHaveCount(1)
    await expect(said(page, BROKEN)).toHaveCount(0)
    expect(await ask(page, user, assistant.sessions)).toHaveLength(1)
  })

  test('a failed question stays where it was, with its Retry, when another is asked', async ({ page }) => {
    await onPage(page)
    await page.route(CHAT, (route) => route.fulfill({ status: 500, json: {} }))
    for (const [n, question] of ['What are my numbers?', 'What is due today?'].entries()) {
      await box(page).fill(question)
      await box(page).press('Enter')
      await expect(said(page, BROKEN)).toHaveCount(n + 1)
    }
    await page.unroute(CHAT)
    await box(page).fill('What can you do?')
    await box(page).press('Enter')
    await expect(said(page, 'Works by rules')).toHaveCount(1)
    await expect(said(page, BROKEN)).toHaveCount(2)
    await expect(messages(page)).toContainText([
      'What are my numbers?',
      BROKEN,
      'What is due today?',
      BROKEN,
      'What can you do?',
      'Works by rules',
    ])

    const retries = log(page).getByRole('button', { name: 'Retry' })
    await retries.first().click()
    await expect(said(page, 'Your numbers now:')).toHaveCount(1)
    await expect(said(page, BROKEN)).toHaveCount(1)
    await expect(messages(page)).toHaveCount(6)
    await expect(messages(page)).toContainText([
      'What is due today?',
      BROKEN,
      'What can you do?',
      'Works by rules',
      'What are my numbers?',
      'Your numbers now:',
    ])
  })

  test('an answer whose connection is cut is found and shown once', async ({ page }) => {
    const user = await onPage(page)
    await page.route(CHAT, async (route) => {
      // The server answers, and nobody hears it.
      await route.fetch()
      await route.abort()
    })
    for (const [turn, question] of ['What are my numbers?', 'What is due today?'].entries()) {
      await box(page).fill(question)
      await box(page).press('Enter')
      await expect(said(page, 'Works by rules')).toHaveCount(turn + 1)
      await expect(said(page, question)).toHaveCount(1)
    }
    expect(await ask(page, user, assistant.sessions)).toHaveLength(1)
  })

  test('after 90 s the page says so, and the answer still appears', async ({ page }) => {
    await page.clock.install()
    await onPage(page)
    const late = 'Wolfy is taking longer than expected. I will keep trying, or you can retry in a moment.'
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(CHAT, async (route) => {
      await held
      await route.continue()
    })
    await box(page).fill('What are my numbers?')
    await box(page).press('Enter')
    await expect(log(page)).toContainText('Wolfy is thinking…')
    // The clock itself goes on meanwhile.
    await page.clock.runFor(75_000)
    await expect(log(page)).not.toContainText(late)
    await page.clock.runFor(16_000)
    await expect(log(page)).toContainText(late)
    await expect(log(page).getByRole('button', { name: 'Retry' })).toBeVisible()
    release()
    await expect(said(page, 'Your numbers now:')).toHaveCount(1)
    await expect(log(page)).not.toContainText(late)
  })

  test('whoever does not want to wait asks again, and is answered once', async ({ page }) => {
    await page.clock.install()
    const user = await onPage(page)
    let calls = 0
    await page.route(CHAT, async (route) => {
      calls += 1
      // The first one hangs.
      if (calls > 1) await route.continue()
    })
    await box(page).fill('What are my numbers?')
    await box(page).press('Enter')
    await expect(log(page)).toContainText('Wolfy is thinking…')
    await page.clock.runFor(91_000)
    await log(page).getByRole('button', { name: 'Retry' }).click()
    await expect(said(page, 'Your numbers now:')).toHaveCount(1)
    await expect(said(page, 'What are my numbers?')).toHaveCount(1)
    expect(calls).toBe(2)
    expect(await ask(page, user, assistant.sessions)).toHaveLength(1)
  })

  test('a 401 is said in the conversation, without a toast', async ({ page }) => {
    await onPage(page)
    await page.route(CHAT, (route) => route.fulfill({ status: 401, json: { detail: 'Not authenticated' } }))
    await box(page).fill('What are my numbers?')
    await box(page).press('Enter')
    await expect(said(page, 'Please log in to use Wolfy')).toHaveCount(1)
    await expect(page.getByText('Not authenticated')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
    await expect(page).toHaveURL(/\/simon$/)
  })

  test('at the limit he offers to answer by rules', async ({ page }) => {
    await onPage(page)
    const limit = 'You have used your 5 AI requests of today.'
    await page.route(CHAT, (route) =>
      route.request().postDataJSON().by === 'rules'
        ? route.continue()
        : route.fulfill({ status: 429, json: { detail: limit, code: 'TOO_MANY_REQUESTS' } }),
    )
    await box(page).fill('What are my numbers?')
    await box(page).press('Enter')
    await expect(log(page)).toContainText(limit)
    await page.getByRole('button', { name: 'Answer by rules' }).click()
    await expect(said(page, 'Your numbers now:')).toHaveCount(1)
  })
})

test('an answer that is being written goes on after a reload, and can be stopped', async ({ page, howl }) => {
  const user = await onPage(page)
  await say(page, 'What are my numbers?')
  const write = (status: string, content: string) =>
    query(
      howl.databaseUrl,
      `UPDATE chat_messages SET status = $2, content = $3, written_at = now() WHERE user_id = $1 AND role = 'assistant'`,
      [user.id, status, content],
    )
  await write('writing', 'The first half')
  await page.reload()
  await expect(said(page, 'The first half')).toContainText('Wolfy is writing…')
  await expect(button(page, 'Send')).toBeHidden()
  await write('writing', 'The first half and more')
  await expect(said(page, 'The first half and more')).toHaveCount(1)
  await button(page, 'Stop').click()
  await expect(said(page, 'The first half and more')).toContainText('Stopped.')
  await expect(button(page, 'Send')).toBeVisible()
  await expect(said(page, 'The first half')).toHaveCount(1)
})

test('words are shown as they come, and are announced when the answer is whole', async ({ page }) => {
  // A stream that the test writes. Everything else is the real thing.
  await page.addInitScript(() => {
    const real = window.fetch
    window.fetch = async (input, init) => {
      if (typeof input !== 'string' || !input.endsWith('/wolfy/chat')) return real(input, init)
      const body = new ReadableStream({
        start: (to) => {
          Object.assign(window, {
            tell: (event: object) =>
              to.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`)),
          })
        },
      })
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } })
    }
  })
  const user = await signedIn(page)
  const { id } = await ask(page, user, assistant.addSession, { title: 'Streams' })
  await page.goto('/simon')
  await box(page).fill('Tell me')
  await box(page).press('Enter')
  await expect(said(page, 'Tell me')).toHaveCount(1)
  const tell = (event: object) =>
    page.evaluate((one) => (window as unknown as { tell: (event: object) => void }).tell(one), event)
  const metadata = { by: null, model: null, sources: [], proposal_ids: [], suggestions: [] }
  const message = {
    intent: null,
    status: 'done',
    message_metadata: metadata,
    created_at: new Date().toISOString(),
  }
  const question = { ...message, id: 1e9, role: 'user', content: 'Tell me' }
  await tell({
    event: 'begun',
    session_id: id,
    session_title: 'Streams',
    is_new_session: false,
    question,
    message_id: 1e9 + 1,
  })
  await tell({ event: 'reading', tool: 'find_contacts', summary: 'Looking through your contacts' })
  await expect(log(page)).toContainText('Looking through your contacts')
  await tell({ event: 'text', text: 'One **bold' })
  await tell({ event: 'text', text: '** word' })
  const coming = said(page, 'One bold word')
  await expect(coming).toHaveAttribute('aria-live', 'off')
  await expect(button(page, 'Stop')).toBeVisible()
  // What is typed meanwhile waits.
  await box(page).fill('And then?')
  await box(page).press('Enter')
  await expect(said(page, 'And then?')).toHaveCount(0)
  const whole = { ...message, id: 1e9 + 1, role: 'assistant', content: 'One **bold** word.' }
  await tell({
    event: 'done',
    reply: {
      message: whole,
      question,
      session_id: id,
      session_title: 'Streams',
      is_new_session: false,
      text: whole.content,
      intent: null,
      status: 'done',
      result: { by: 'model', sources: [], proposals: [], suggestions: [] },
    },
  })
  await page.evaluate(() => dispatchEvent(new Event('done')))
  await expect(coming).toHaveCount(1)
  await expect(box(page)).toHaveValue('And then?')
})

async function anotherTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto('/simon')
  return tab
}

test('two tabs show the same', async ({ page, context }) => {
  await onPage(page)
  await say(page, 'What are my numbers?')
  const other = await anotherTab(context)
  await expect(said(other, 'Your numbers now:')).toHaveCount(1)
  await say(page, 'What is due today?')
  await expect(said(other, 'What is due today?')).toHaveCount(1)
  await expect(said(other, 'Works by rules')).toHaveCount(2)
  await say(other, 'Who has not replied?')
  await expect(said(page, 'Works by rules')).toHaveCount(3)
})

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

  /** A signed-in user whose mail leaves by this server. */
  async function writer(page: Page, { port }: SmtpSink): Promise<E2eUser> {
    const user = await signedIn(page)
    await ask(page, user, mailboxSetup.save, {
      smtp_host: '127.0.0.1',
      smtp_port: port,
      smtp_username: 'ada',
      smtp_password: 'secret',
      smtp_from: 'ada@muster.example',
      smtp_use_tls: false,
    })
    return user
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
    await form.getByLabel('Title').fill('')
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(form).toContainText('Please enter a title')
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

  test('is declined, and then nothing is done', async ({ page }) => {
    const user = await proposed(page, 'Remind me to call Ann Lee tomorrow')
    await button(page, 'Decline').click()
    await expect(card(page)).toContainText('Declined. Nothing was done.')
    expect(await ask(page, user, todos.list)).toEqual([])
  })

  test('that was declined in another tab says so when it is approved', async ({ page }) => {
    const user = await proposed(page, 'Remind me to call Ann Lee tomorrow')
    await page.route('**/api/v1/wolfy/proposals/*/approve', (route) =>
      route.fulfill({ status: 409, json: { detail: 'This proposal was declined.', code: 'CONFLICT' } }),
    )
    await button(page, 'Approve').click()
    await expect(card(page).getByRole('alert')).toHaveText('This proposal was declined.')
    const [proposal] = await ask(page, user, assistant.proposals)
    await ask(page, user, assistant.decline, undefined, { id: proposal?.id ?? 0 })
    await expect(card(page)).toContainText('Declined. Nothing was done.')
  })

  test('that is too old says so', async ({ page, howl }) => {
    const user = await proposed(page, 'Remind me to call Ann Lee tomorrow')
    await query(
      howl.databaseUrl,
      `UPDATE chat_proposals SET expires_at = now() - interval '1 minute' WHERE user_id = $1`,
      [user.id],
    )
    await page.reload()
    await expect(card(page)).toContainText('Expired')
    await expect(card(page).getByRole('button')).toHaveCount(0)
  })

  test('an email that the server refuses is told on the card, with the way to the draft', async ({
    page,
  }) => {
    const sink = await startSmtpSink()
    try {
      const user = await writer(page, sink)
      await addAnn(page, user)
      await page.goto('/simon')
      await say(page, 'Write to Ann Lee about the offer: The offer is on its way.')
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

  test('an email without a mailbox leads to the settings', async ({ page }) => {
    await proposed(page, 'Write to Ann Lee about the offer: The offer is on its way.')
    await button(page, 'Approve').click()
    await expect(card(page).getByRole('alert')).toBeVisible()
    await expect(card(page).getByRole('link', { name: 'Profile & Settings' })).toBeVisible()
  })
})

test.describe('the widget', () => {
  const widget = (page: Page) => page.getByRole('dialog', { name: 'Wolfy' })

  test('opens beside a page, suggests what fits it, and stays from page to page', async ({ page }) => {
    const user = await signedIn(page)
    const ann = await addAnn(page, user)
    await page.goto(`/contacts/${ann.id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'Ann Lee' })).toBeVisible()
    await button(page, 'Ask Wolfy').click()
    await widget(page).getByRole('button', { name: 'Why was Ann Lee not mailed?' }).click()
    await expect(said(page, 'Works by rules')).toHaveCount(1)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
    await expect(said(page, 'Works by rules')).toHaveCount(1)
    await widget(page).getByRole('button', { name: 'Chats', exact: true }).click()
    await expect(widget(page).getByRole('heading', { name: 'Select Chat Session' })).toBeVisible()
    await expect(chats(page).getByRole('listitem')).toHaveCount(1)
    await widget(page).getByRole('button', { name: 'Chats', exact: true }).click()
    await widget(page).getByRole('link', { name: 'Open the full page' }).click()
    await expect(page).toHaveURL(/\/simon$/)
    await expect(widget(page)).toBeHidden()
    await expect(said(page, 'Works by rules')).toHaveCount(1)
  })

  test('is opened from the page of a contact with a conversation about them', async ({ page }) => {
    const user = await signedIn(page)
    const ann = await addAnn(page, user)
    await page.goto('/simon')
    await say(page, 'What are my numbers?')
    await page.goto(`/contacts/${ann.id}`)
    await button(page, 'Ask Wolfy about Ann Lee').click()
    await expect(widget(page)).toContainText('About Ann Lee')
    await expect(box(page)).toBeFocused()
    await say(page, 'Write to her about the offer: It is on its way.')
    await expect(widget(page).getByRole('region', { name: /^Send an email/ })).toContainText(
      'ann@acme.example',
    )
    await expect(widget(page).getByRole('link', { name: 'Ann Lee', exact: true })).toHaveAttribute(
      'href',
      `/contacts/${ann.id}`,
    )
    const sessions = await ask(page, user, assistant.sessions)
    expect(sessions.map((each) => each.contact_email)).toEqual(['ann@acme.example', ''])
    // Once the contact has another address, the page says whom it was about, without a link.
    await ask(page, user, contacts.update, { email: 'ann@other.example' }, { id: ann.id })
    await widget(page).getByRole('link', { name: 'Open the full page' }).click()
    await page.reload()
    await expect(page.getByRole('main')).toContainText('About Ann Lee')
    await expect(page.getByRole('main').getByRole('link', { name: 'Ann Lee', exact: true })).toHaveCount(0)
  })

  test('a question that a contact’s page suggests begins a conversation about them', async ({ page }) => {
    const user = await signedIn(page)
    const ann = await addAnn(page, user)
    await page.goto(`/contacts/${ann.id}`)
    await button(page, 'Ask Wolfy').click()
    await widget(page).getByRole('button', { name: 'Remind me to call Ann Lee tomorrow' }).click()
    await expect(widget(page).getByRole('region', { name: /^Add the task/ })).toContainText('Ann Lee')
    await expect(widget(page).getByText('About Ann Lee')).toBeVisible()
    // What has just been asked is not suggested again.
    await say(page, 'What are my numbers?')
    await expect(page.getByRole('list', { name: 'Suggestions' })).not.toContainText('What are my numbers?')
    const [session] = await ask(page, user, assistant.sessions)
    expect(session).toMatchObject({ contact_name: 'Ann Lee', contact_email: 'ann@acme.example' })
  })

  test('the mail page makes way for it where there is room, and it is used by keys alone', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const user = await signedIn(page)
    await addAnn(page, user)
    await page.goto('/emails')
    await button(page, 'Ask Wolfy').press('Enter')
    await expect(box(page)).toBeFocused()
    const panel = await widget(page).boundingBox()
    const main = await page.getByRole('main').boundingBox()
    expect((main?.x ?? 0) + (main?.width ?? 0)).toBeLessThanOrEqual(panel?.x ?? 0)
    await page.keyboard.type('Remind me to call Ann Lee tomorrow')
    await page.keyboard.press('Enter')
    const approve = widget(page).getByRole('button', { name: 'Approve' })
    await expect(approve).toBeVisible()
    for (let pressed = 0; pressed < 12; pressed += 1) {
      if (await approve.evaluate((element) => element === document.activeElement)) break
      await page.keyboard.press('Shift+Tab')
    }
    await expect(approve).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(widget(page).getByRole('region', { name: /^Add the task/ })).toContainText('Done')
    expect(await ask(page, user, todos.list)).toHaveLength(1)
    await page.keyboard.press('Escape')
    await expect(widget(page)).toBeHidden()
    expect((await page.getByRole('main').boundingBox())?.width).toBe(1440)
  })

  test('closes by Esc, and the button has the focus again', async ({ page }) => {
    await signedIn(page)
    await page.goto('/dashboard')
    await button(page, 'Ask Wolfy').click()
    await expect(box(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(widget(page)).toBeHidden()
    await expect(button(page, 'Ask Wolfy')).toBeFocused()
  })

  for (const path of ['/pricing', '/', '/login'])
    test(`is on the public page ${path} and asks to log in`, async ({ page }) => {
      let questions = 0
      page.on('request', (request) => {
        if (request.url().endsWith('/wolfy/chat')) questions += 1
      })
      await page.goto(path)
      await button(page, 'Ask Wolfy').click()
      await expect(log(page)).toContainText('Please log in to use Wolfy')
      await box(page).fill('What are my numbers?')
      await box(page).press('Enter')
      await expect(box(page)).toHaveValue('What are my numbers?')
      expect(questions).toBe(0)
      await expect(log(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
    })

  test('covers no button of the mail page on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await signedIn(page)
    await page.goto('/emails')
    await expect(button(page, 'Ask Wolfy')).toBeVisible()
    await page.getByRole('button', { name: 'Compose' }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
  })

  for (const width of [320, 390, 768, 1024, 1440])
    test(`the header has room for it at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 })
      await signedIn(page)
      await page.goto('/dashboard')
      await expect(button(page, 'Ask Wolfy')).toBeInViewport({ ratio: 1 })
      await expect(button(page, 'User menu')).toBeInViewport({ ratio: 1 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    })
})

test('a visitor without a session is led away from the page', async ({ page }) => {
  await newUser(page)
  await page.goto('/simon')
  await expect(page).toHaveURL(/\/$/)
})

test('axe finds nothing on the page and the widget', async ({ page }) => {
  const user = await onPage(page)
  await addAnn(page, user)
  await say(page, 'What are my numbers?')
  await say(page, 'Remind me to call Ann Lee tomorrow')
  await expectSound(page)
  await button(page, 'Edit').click()
  await expectSound(page)
  await button(page, 'New Chat').click()
  await expect(dialog(page, 'New Chat')).toBeVisible()
  await expectSound(page)
  for (const path of ['/emails', '/contacts']) {
    await page.goto(path)
    await button(page, 'Ask Wolfy').click()
    await expect(said(page, 'Your numbers now:')).toHaveCount(1)
    await expectSound(page)
    await button(page, 'Close').click()
  }
  await page.goto('/pricing')
  await button(page, 'Ask Wolfy').click()
  await expect(said(page, 'Your numbers now:')).toHaveCount(1)
  await expectSound(page)
})
