import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { assistant, type ChatEvent } from '#contract/assistant/assistant.ts'
import { openPage } from '../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../tests/support/fake-api.ts'
import { box, button, fakeChat, log, said } from '../../tests/support/fake-chat.ts'

const BROKEN = 'Sorry, I encountered an error. Please try again.'
const LATE = 'Wolfy is taking longer than expected. I will keep trying, or you can retry in a moment.'
const NUMBERS = 'What are my numbers?'
const DUE = 'What is due today?'

const messages = log.getByRole('listitem')
const retry = log.getByRole('button', { name: 'Retry' })

function onPage(...titles: string[]): { api: FakeApi } & ReturnType<typeof fakeChat> {
  const api = fakeApi()
  const chat = fakeChat(api, ...titles)
  openPage('/simon')
  return { api, ...chat }
}

async function put(question: string): Promise<void> {
  await box.fill(question)
  await userEvent.keyboard('{Enter}')
}

const broken = (api: FakeApi) => api.responds(assistant.chat, () => new Response('no', { status: 500 }))

/** An answer that the test streams event by event. */
function stream(api: FakeApi): { tell: (event: ChatEvent) => void } {
  let to: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (made) => void (to = made) })
  api.responds(assistant.chat, () => new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }))
  return {
    tell: (event) => {
      to?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`))
      if (event.event === 'done') to?.close()
    },
  }
}

test('a question that fails stays, and Retry has it answered once', async () => {
  const { api, store, sessions } = onPage()
  broken(api)
  await put(NUMBERS)
  await expect.element(said(BROKEN)).toBeVisible()
  await expect.element(said(NUMBERS)).toBeVisible()
  api.answers(assistant.chat, ({ body }) => store(body))
  await retry.click()
  await expect.element(said('Works by rules')).toBeVisible()
  await expect.element(said(BROKEN)).not.toBeInTheDocument()
  expect(sessions).toHaveLength(1)
})

test('a failed question stays where it was, with its Retry, when another is asked', async () => {
  const { api, store } = onPage()
  broken(api)
  await put(NUMBERS)
  await expect.element(said(BROKEN)).toBeVisible()
  await put(DUE)
  await expect.poll(() => said(BROKEN).elements().length).toBe(2)
  api.answers(assistant.chat, ({ body }) => store(body))
  await put('What can you do?')
  await expect.element(said('Works by rules')).toBeVisible()
  const texts = () => messages.elements().map(({ textContent }) => textContent)
  const asked = (...parts: string[]) =>
    parts.map((part) => expect.stringContaining(part) as unknown as string)
  expect(texts()).toEqual(asked(NUMBERS, BROKEN, DUE, BROKEN, 'What can you do?', 'Works by rules'))

  await retry.first().click()
  await expect.element(said(`Answer to “${NUMBERS}”`)).toBeVisible()
  await expect
    .poll(texts)
    .toEqual(asked(DUE, BROKEN, 'What can you do?', 'Works by rules', NUMBERS, 'Works by rules'))
})

test('an answer that the server gave and nobody heard is found and shown once', async () => {
  const { api, store, sessions } = onPage()
  api.responds(assistant.chat, ({ body }) => {
    store(body)
    throw new TypeError('Failed to fetch')
  })
  for (const question of [NUMBERS, DUE]) {
    await put(question)
    await expect.element(said(`Answer to “${question}”`)).toBeVisible()
  }
  expect(messages.elements()).toHaveLength(4)
  expect(sessions).toHaveLength(1)
})

test('after 90 s without a word the page says so, and the answer still appears', async () => {
  const { api, store } = onPage()
  await expect.element(page.getByText('What do you want to know?')).toBeVisible()
  const { tell } = stream(api)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await put(NUMBERS)
  await expect.element(said('Wolfy is thinking…')).toBeVisible()
  // Timers that are faked also go on while an action waits for its element: not beyond half a minute.
  vi.advanceTimersByTime(60_000)
  await expect.element(said('Wolfy is thinking…')).toBeVisible()
  await expect.element(said(LATE)).not.toBeInTheDocument()
  vi.advanceTimersByTime(30_000)
  await expect.element(log.getByRole('status')).toHaveTextContent(LATE)
  await expect.element(retry).toBeVisible()
  tell({ event: 'done', reply: store({ message: NUMBERS }) })
  await expect.element(said('Works by rules')).toBeVisible()
  await expect.element(said(LATE)).not.toBeInTheDocument()
})

test('a 401 is said in the conversation, without a toast', async () => {
  const { api } = onPage()
  api.refuses(assistant.chat, 401, 'Not authenticated')
  await put(NUMBERS)
  await expect.element(said('Please log in to use Wolfy')).toBeVisible()
  await expect.element(page.getByText('Not authenticated')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Dismiss' })).not.toBeInTheDocument()
  expect(location.pathname).toBe('/simon')
})

test('at the limit he offers to answer by rules, of the model alone that failed', async () => {
  const { api, store } = onPage()
  const limit = 'You have used your 5 AI requests for today.'
  api.responds(assistant.chat, ({ body }) =>
    body?.by === 'rules'
      ? Response.json(store(body))
      : Response.json({ detail: limit, code: 'TOO_MANY_REQUESTS' }, { status: 429 }),
  )
  await put(NUMBERS)
  await expect.element(log.getByRole('alert')).toHaveTextContent(limit)
  await button('Answer by rules').click()
  await expect.element(said('Works by rules')).toBeVisible()
  await expect.element(log.getByRole('alert')).not.toBeInTheDocument()
})

test('what is typed while an answer comes waits', async () => {
  const { api, store } = onPage()
  const { tell } = stream(api)
  await put('Tell me')
  tell({ event: 'text', text: 'One **bold' })
  tell({ event: 'text', text: '** word' })
  await expect.element(said('One bold word')).toHaveAttribute('aria-live', 'off')
  await expect.element(button('Stop')).toBeVisible()
  await put('And then?')
  await expect.element(box).toHaveValue('And then?')
  expect(api.calls(assistant.chat)).toHaveLength(1)
  tell({ event: 'done', reply: store({ message: 'Tell me' }) })
  await expect.element(said('Works by rules')).not.toHaveAttribute('aria-live')
  await expect.element(box).toHaveValue('And then?')
})

test('an answer is copied as it was written, and its sources are links to pages of Howl', async () => {
  const { api, store } = onPage()
  const copied: string[] = []
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    copied.push(text)
  })
  onTestFinished(() => write.mockRestore())
  const { tell } = stream(api)
  await put('Who is Ann?')
  const reply = store({ message: 'Who is Ann?' })
  reply.message.content = 'Write to **Ann** [1].'
  const source = { n: 1, kind: 'contact', id: 7, label: 'Ann Lee', path: '/contacts/7' } as const
  reply.message.message_metadata.sources = [source]
  tell({ event: 'done', reply })
  await expect.element(said('Write to Ann')).toBeVisible()
  // Both at once: it says so for two seconds.
  await Promise.all([expect.element(button('Copied')).toBeVisible(), button('Copy answer').click()])
  expect(copied).toEqual(['Write to **Ann** [1].'])
  await expect
    .element(log.getByRole('link', { name: 'Source 1: Ann Lee' }))
    .toHaveAttribute('href', '/contacts/7')
})

test('the last question is edited, and Escape leaves it as it was', async () => {
  const { api } = onPage()
  await put('What can you do?')
  await expect.element(said('Works by rules')).toBeVisible()
  await said('What can you do?').first().hover()
  await button('Edit question').click()
  const edit = page.getByRole('textbox', { name: 'Question', exact: true })
  await expect.element(edit).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(edit).not.toBeInTheDocument()
  expect(api.calls(assistant.chat)).toHaveLength(1)
  await button('Edit question').click()
  await edit.fill(NUMBERS)
  await userEvent.keyboard('{Enter}')
  await expect.element(said(`Answer to “${NUMBERS}”`)).toBeVisible()
  await expect.element(said('What can you do?')).not.toBeInTheDocument()
  expect(messages.elements()).toHaveLength(2)
})
