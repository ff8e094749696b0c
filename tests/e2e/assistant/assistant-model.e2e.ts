import { createConnection, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Page } from '@playwright/test'
import { assistant } from '#contract/assistant/assistant.ts'
import { todos } from '#contract/crm/todos.ts'
import { addAnn, box, button, chats, dialog, log, messages, onPage, said } from '../../support/chat-page.ts'
import { ask, type E2eUser, expect, type Howl } from '../../support/e2e.ts'
import { testWithModel } from '../../support/e2e-model.ts'
import type { ModelAnswer } from '../../support/model.ts'
import { setPlan } from '../../support/plans.ts'

// Wolfy with a language model: Howl as it is run, and a model server over the network that does as the test says.

const MODEL = 'moon-7b'
const test = testWithModel({ AI_MODEL: MODEL })

const BROKEN = 'Sorry, I encountered an error. Please try again.'
const LATE = 'Wolfy is taking longer than expected. I will keep trying, or you can retry in a moment.'
const WRITING = 'Wolfy is writing…'
const QUESTION = 'How is the season going?'

/** An answer that the test speaks word by word. */
function speech() {
  const words = new PassThrough({ objectMode: true })
  return {
    answer: { pieces: words as AsyncIterable<string>, ends: 'whole' as const },
    say: (piece: string) => void words.write(piece),
    end: () => void words.end(),
  }
}

async function put(page: Page, question: string): Promise<void> {
  await box(page).fill(question)
  await box(page).press('Enter')
}

/** What the server has of the only conversation. */
async function stored(page: Page, user: E2eUser) {
  const [session, ...others] = await ask(page, user, assistant.sessions)
  expect(others).toEqual([])
  const detail = await ask(page, user, assistant.getSession, undefined, { id: session?.id ?? 0 })
  return detail.messages.map(({ role, content, status }) => [role, content, status])
}

/** The conversation is one question and one whole answer, on the page and on the server. */
async function answeredOnce(page: Page, user: E2eUser, question: string, answer: string): Promise<void> {
  await expect(said(page, answer).filter({ hasText: MODEL })).toHaveCount(1)
  await expect(said(page, question)).toHaveCount(1)
  await expect(messages(page)).toHaveCount(2)
  await expect(log(page).getByRole('alert')).toHaveCount(0)
  expect(await stored(page, user)).toEqual([
    ['user', question, 'done'],
    ['assistant', answer, 'done'],
  ])
}

test('words are shown as they come, under the strict policy, and the whole answer names the model', async ({
  page,
  model,
}) => {
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  const { answer, say, end } = speech()
  model.answer(answer)
  const user = await onPage(page)
  const policy = (await page.request.get('/simon')).headers()['content-security-policy'] ?? ''
  expect(policy).toMatch(/script-src 'self'(?:;| 'sha)/)
  expect(policy).toMatch(/connect-src 'self'(?:;|$)/)
  await put(page, QUESTION)
  await expect(log(page)).toContainText('Wolfy is thinking…')
  say('The season goes **very')
  await expect(said(page, 'The season goes')).toContainText(WRITING)
  await expect(said(page, 'The season goes')).toHaveAttribute('aria-live', 'off')
  await expect(said(page, 'much better')).toHaveCount(0)
  say(' well**, and')
  await expect(said(page, 'The season goes very well, and')).toHaveCount(1)
  for (const word of ' much better than the one before'.split(/(?= )/)) say(word)
  await expect(said(page, 'The season goes very well, and much better than the one before')).toContainText(
    WRITING,
  )
  end()
  await expect(said(page, 'The season goes very well')).not.toContainText(WRITING)
  await expect(said(page, 'The season goes very well')).not.toHaveAttribute('aria-live', 'off')
  await expect(said(page, 'The season goes very well').filter({ hasText: MODEL })).toHaveCount(1)
  await expect(messages(page)).toHaveCount(2)
  expect(await stored(page, user)).toEqual([
    ['user', QUESTION, 'done'],
    ['assistant', 'The season goes **very well**, and much better than the one before', 'done'],
  ])
  expect(faults).toEqual([])
})

test('Stop keeps what was written, and Retry asks anew', async ({ page, model }) => {
  const { answer, say, end } = speech()
  model.answer(answer)
  const user = await onPage(page)
  await put(page, QUESTION)
  say('The first half')
  await expect(said(page, 'The first half')).toContainText(WRITING)
  await button(page, 'Stop').click()
  await expect(said(page, 'The first half')).toContainText('Stopped.')
  await expect(button(page, 'Send')).toBeVisible()
  say(' and the other half')
  end()
  expect(await stored(page, user)).toEqual([
    ['user', QUESTION, 'done'],
    ['assistant', 'The first half', 'stopped'],
  ])
  model.answer('A whole answer.')
  await page.getByRole('button', { name: 'Retry' }).click()
  await answeredOnce(page, user, QUESTION, 'A whole answer.')
})

test('an answer goes on after a reload in its middle, and in the widget from page to page', async ({
  page,
  model,
}) => {
  const { answer, say, end } = speech()
  model.answer(answer)
  const user = await onPage(page)
  await put(page, QUESTION)
  say('The first half')
  await expect(said(page, 'The first half')).toContainText(WRITING)
  await page.reload()
  await expect(said(page, 'The first half')).toContainText(WRITING)
  await expect(button(page, 'Stop')).toBeVisible()
  say(' and the other half')
  await expect(said(page, 'The first half and the other half')).toContainText(WRITING)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' }).click()
  await button(page, 'Ask Wolfy').click()
  await expect(said(page, 'The first half and the other half')).toContainText(WRITING)
  say(', and the end')
  end()
  await answeredOnce(page, user, QUESTION, 'The first half and the other half, and the end')
  await expect(button(page, 'Send')).toBeVisible()
})

/** A way to Howl that can be cut. */
async function startWire({ url }: Howl) {
  const sockets = new Set<Socket>()
  const target = Number(new URL(url).port)
  const server = createServer((near) => {
    const far = createConnection(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    stop: () => {
      cut()
      server.close()
    },
  }
}

test('an answer whose connection is lost in the middle goes on', async ({ page, model, howl }) => {
  const wire = await startWire(howl)
  try {
    const { answer, say, end } = speech()
    model.answer(answer)
    const user = await onPage(page)
    await page.goto(`${wire.url}/health`)
    await page.evaluate((token) => localStorage.setItem('token', token), user.token)
    await page.goto(`${wire.url}/simon`)
    await put(page, QUESTION)
    say('The first half')
    await expect(said(page, 'The first half')).toContainText(WRITING)
    wire.cut()
    say(' and the other half')
    await expect(said(page, 'The first half and the other half')).toContainText(WRITING)
    end()
    await answeredOnce(page, user, QUESTION, 'The first half and the other half')
  } finally {
    wire.stop()
  }
})

test.describe('two tabs', () => {
  test('show the same answer as it comes, and each can stop it', async ({ page, model, context }) => {
    const { answer, say } = speech()
    const user = await onPage(page)
    await put(page, 'Hello')
    await expect(said(page, 'Hello from the model.')).toContainText(MODEL)
    const other = await context.newPage()
    await other.goto('/simon')
    await expect(said(other, 'Hello from the model.')).toHaveCount(1)
    model.answer(answer)
    await put(page, QUESTION)
    await expect(said(other, QUESTION)).toHaveCount(1)
    say('The first half')
    for (const tab of [page, other]) await expect(said(tab, 'The first half')).toContainText(WRITING)
    say(' and more')
    for (const tab of [page, other]) {
      await expect(said(tab, 'The first half and more')).toHaveCount(1)
      await expect(messages(tab)).toHaveCount(4)
    }
    // It is one conversation: what is typed here waits for the answer that the other tab asked for.
    await expect(button(other, 'Send')).toBeHidden()
    await button(other, 'Stop').click()
    for (const tab of [page, other]) {
      await expect(said(tab, 'The first half and more')).toContainText('Stopped.')
      await expect(messages(tab)).toHaveCount(4)
    }
    expect(await stored(page, user)).toHaveLength(4)
  })

  test('a conversation that the other tab deletes makes way for a new one, with what was typed', async ({
    page,
    model,
    context,
  }) => {
    const { answer, say, end } = speech()
    model.answer(answer)
    const user = await onPage(page)
    await put(page, QUESTION)
    say('The first half')
    await expect(said(page, 'The first half')).toContainText(WRITING)
    await box(page).fill('And the next?')
    const other = await context.newPage()
    await other.goto('/simon')
    await other.getByRole('button', { name: `More actions for ${QUESTION}` }).click()
    await other.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog(other, `Delete “${QUESTION}”?`).getByRole('button', { name: 'Delete', exact: true }).click()
    for (const tab of [page, other]) {
      await expect(tab.getByText('What do you want to know?')).toBeVisible()
      await expect(chats(tab)).toHaveCount(0)
    }
    await expect(box(page)).toHaveValue('And the next?')
    say(' and the rest')
    end()
    model.answer('The next one goes well.')
    await box(page).press('Enter')
    await answeredOnce(page, user, 'And the next?', 'The next one goes well.')
  })

  test('after log-out in the other tab nothing of the conversation is left', async ({
    page,
    model,
    context,
  }) => {
    const { answer, say, end } = speech()
    model.answer(answer)
    const user = await onPage(page)
    await put(page, QUESTION)
    say('The first half')
    await expect(said(page, 'The first half')).toContainText(WRITING)
    const other = await context.newPage()
    await other.goto('/dashboard')
    await other.getByRole('button', { name: 'User menu' }).click()
    await other.getByRole('menuitem', { name: 'Logout' }).click()
    for (const tab of [page, other]) await expect(tab).not.toHaveURL(/simon|dashboard/)
    say(' and the rest')
    end()
    await expect(page.getByText('The first half')).toHaveCount(0)
    await button(page, 'Ask Wolfy').click()
    await expect(log(page)).toContainText('Please log in to use Wolfy')
    await expect(log(page)).not.toContainText(QUESTION)
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('Session'))),
    ).toEqual([])
    // The next user of this browser begins anew.
    await page.evaluate(() => localStorage.clear())
    await onPage(page)
    await expect(page.getByText('What do you want to know?')).toBeVisible()
    expect(user.id).toBeGreaterThan(0)
  })
})

test.describe('a model that', () => {
  const WAYS: [string, ModelAnswer][] = [
    ['is dead', { does: 'drop' }],
    ['refuses', { status: 500 }],
    ['talks rubbish', { raw: '<html>Not a model at all</html>' }],
    ['calls tools that there are not', { calls: [{ name: 'delete_everything', input: '{{{' }] }],
    ['never ends', { pieces: ['Blah '], ends: 'flood' }],
  ]
  test('fails, in whatever way: the question stays, the page says so, and Retry works', async ({
    page,
    model,
  }) => {
    const user = await onPage(page)
    for (const [what, way] of WAYS)
      await test.step(what, async () => {
        model.answer(way)
        await put(page, QUESTION)
        await expect(button(page, 'Send')).toBeVisible()
        await expect(log(page).getByRole('alert')).toHaveText(BROKEN)
        await expect(said(page, QUESTION)).toHaveCount(1)
        await expect(messages(page)).toHaveCount(2)
        model.answer('Well.')
        await page.getByRole('button', { name: 'Retry' }).click()
        await answeredOnce(page, user, QUESTION, 'Well.')
        const [session] = await ask(page, user, assistant.sessions)
        await ask(page, user, assistant.removeSession, undefined, { id: session?.id ?? 0 })
        await expect(page.getByText('What do you want to know?')).toBeVisible()
      })
  })

  test('is cut off: what it wrote stays until Retry, or the rules, answer in its place', async ({
    page,
    model,
  }) => {
    model.answer({ pieces: ['The first half'], ends: 'cut' })
    const user = await onPage(page)
    await put(page, 'What are my numbers?')
    await expect(said(page, 'The first half')).toContainText(BROKEN)
    await page.reload()
    await expect(said(page, 'The first half')).toContainText(BROKEN)
    await page.getByRole('button', { name: 'Answer by rules' }).click()
    await expect(said(page, 'Your numbers now:')).toContainText('Works by rules')
    await expect(said(page, 'The first half')).toHaveCount(0)
    await expect(messages(page)).toHaveCount(2)
    expect(await stored(page, user)).toHaveLength(2)
  })

  test('is slow may be asked again after 90 s, and answers once', async ({ page, model }) => {
    await page.clock.install()
    const first = speech()
    model.answer(first.answer)
    const user = await onPage(page)
    await put(page, QUESTION)
    await expect(log(page)).toContainText('Wolfy is thinking…')
    await expect(chats(page).getByRole('button', { name: QUESTION, exact: true })).toBeVisible()
    // The clock itself goes on meanwhile.
    await page.clock.runFor(60_000)
    await expect(log(page)).not.toContainText(LATE)
    await page.clock.runFor(31_000)
    await expect(log(page).getByRole('status')).toHaveText(LATE)
    model.answer('Well, quickly.')
    await log(page).getByRole('button', { name: 'Retry' }).click()
    await answeredOnce(page, user, QUESTION, 'Well, quickly.')
    first.say('Too late.')
    first.end()
    await expect(log(page)).not.toContainText('Too late.')
    await page.reload()
    await answeredOnce(page, user, QUESTION, 'Well, quickly.')
  })
})

test('at the limit of the plan the question stays, and the rules answer it', async ({
  page,
  model,
  howl,
}) => {
  model.answer('Hello.')
  const user = await onPage(page)
  await setPlan(howl, user, 'free')
  for (let asked = 0; asked < 5; asked += 1) await ask(page, user, assistant.chat, { message: 'Hello' })
  await page.reload()
  await put(page, 'What are my numbers?')
  await expect(log(page).getByRole('alert')).toHaveText('You have used your 5 AI requests for today.')
  await expect(said(page, 'What are my numbers?')).toHaveCount(1)
  await page.getByRole('button', { name: 'Answer by rules' }).click()
  await expect(said(page, 'Your numbers now:')).toContainText('Works by rules')
  await expect(said(page, 'What are my numbers?')).toHaveCount(1)
  await expect(log(page).getByRole('alert')).toHaveCount(0)
})

test('a model looks up and only proposes: its facts link to where they come from, and Approve does what its card says', async ({
  page,
  model,
}) => {
  const { answer, say, end } = speech()
  const user = await onPage(page)
  const ann = await addAnn(page, user)
  model.answer(({ body }) =>
    JSON.stringify(body).includes('"role":"tool"')
      ? answer
      : { calls: [{ name: 'find_contacts', input: { search: 'Ann' } }] },
  )
  await put(page, 'What is the address of Ann?')
  await expect(log(page)).toContainText('Looking through your contacts…')
  say('Write to ann@acme.example [1].')
  // Until the answer is whole it is not known what the number stands for.
  await expect(said(page, 'Write to ann@acme.example')).not.toContainText('[1]')
  end()
  await expect(page.getByRole('link', { name: 'Source 1: Ann Lee' })).toHaveAttribute(
    'href',
    `/contacts/${ann.id}`,
  )

  model.answer(({ body }) =>
    JSON.stringify(body).includes('"name":"add_task","arguments"')
      ? 'I would add this task.'
      : { calls: [{ name: 'add_task', input: { title: 'Order flour', due_date: null, priority: 'high' } }] },
  )
  await put(page, 'We are short of flour')
  const card = page.getByRole('region', { name: 'Add the task' })
  await expect(said(page, 'I would add this task.')).toContainText('Order flour')
  expect(await ask(page, user, todos.list)).toEqual([])
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(card).toContainText('Done')
  expect(await ask(page, user, todos.list)).toMatchObject([{ title: 'Order flour', priority: 'high' }])
})
