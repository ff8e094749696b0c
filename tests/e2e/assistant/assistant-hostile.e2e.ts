import type { BrowserContext, Page } from '@playwright/test'
import { ANSWER_MAX, assistant, type Proposal } from '#contract/assistant/assistant.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { todos } from '#contract/crm/todos.ts'
import { box, button, chats, dialog, log, messages, onPage } from '../../support/chat-page.ts'
import { ask, type E2eUser, expect, signedIn } from '../../support/e2e.ts'
import { testWithModel } from '../../support/e2e-model.ts'
import { FOREIGN_PATHS, HOSTILE_ANSWERS } from '../../support/hostile-answers.ts'
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { messagesOf } from '../../support/turned-model.ts'
import { parsed } from '../../support/writing.ts'
import { HOSTILE_WORDS } from '../../injections/mails.ts'
import { mailAccountAt } from '../../support/mail-account.ts'
import { sql } from '../../support/sql.ts'

// What a language model, a contact or a title says can do nothing in the browser: it is text, and only the user's click acts.

const test = testWithModel({ AI_MODEL: 'turned', PLAN_LIMITS: 'off' })

/** Characters that turn or hide others, but for those within emoji. */
const UNSEEN = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\u{E0000}-\u{E0FFF}]/u

/** Notes everything by which a text could reach out, or act. */
function watch(page: Page, context: BrowserContext, origin: string) {
  const seen: string[] = []
  const acts: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith('data:') && new URL(url).origin !== origin) seen.push(`request ${url}`)
    if (request.method() !== 'GET' && /\/proposals\//.test(url)) acts.push(new URL(url).pathname)
  })
  context.on('page', (opened) => seen.push(`window ${opened.url()}`))
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) seen.push(`frame ${frame.url()}`)
    else if (new URL(frame.url()).origin !== origin) seen.push(`navigation ${frame.url()}`)
  })
  page.on('download', (download) => seen.push(`download ${download.url()}`))
  page.on('dialog', (opened) => {
    seen.push(`dialog ${opened.message()}`)
    void opened.dismiss()
  })
  page.on('pageerror', (error) => seen.push(`fault ${error.message}`))
  page.on('console', (message) => {
    // What the policy has stopped is an error here too: it was tried.
    if (message.type() === 'error') seen.push(`console ${message.text()}`)
  })
  return { seen, acts }
}

/** Nothing on the page leads away from Howl, loads something, runs, or makes the page wider than the screen. */
async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    foreign: [...document.querySelectorAll<HTMLAnchorElement>('a[href], area[href]')]
      // A contact's own page writes to the stored address.
      .filter(
        ({ href }) => !href.startsWith(`${location.origin}/`) && !/^mailto:[\w.]+@acme\.example$/.test(href),
      )
      .map((link) => JSON.stringify(link.getAttribute('href'))),
    loads: [...document.querySelectorAll('[src], [srcset], [data], [action], [formaction], [poster]')]
      .map((element) => element.outerHTML)
      .filter((html) => !/^<(?:script|img|link)[^>]* src="(?:\/|blob:)(?!\/|api\/)/.test(html)),
    ran: 'howlRan' in window,
    styled: document.querySelectorAll(
      'style:not([data-emotion]), base, iframe, object, embed, meta[http-equiv]',
    ).length,
    inline: [...document.querySelectorAll('*')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    ).length,
    wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }))
  expect(found).toEqual({ foreign: [], loads: [], ran: false, styled: 0, inline: 0, wider: 0 })
  await expect(log(page).locator('img, form, input, a[href^="/api"], a[href^="mailto:"]')).toHaveCount(0)
}

async function put(page: Page, question: string): Promise<void> {
  await box(page).fill(question)
  await box(page).press('Enter')
}

/** The model calls these tools once a question, then says this. */
const callsOnce = (calls: { name: string; input: unknown }[], text: string) => {
  return (question: Parameters<typeof messagesOf>[0]) =>
    messagesOf(question).at(-1)?.role === 'tool' ? text : { calls }
}

const proposalsOf = async (page: Page, user: E2eUser): Promise<Proposal[]> =>
  ask(page, user, assistant.proposals)

/** What a person reads on a card, line by line. */
const linesOf = (card: ReturnType<Page['getByRole']>) =>
  card.locator('dl > div').evaluateAll((rows) =>
    rows.map((row) => ({
      label: row.querySelector('dt')?.textContent ?? '',
      text: row.querySelector('dd')?.textContent ?? '',
    })),
  )

test('answers that want to act are text, as they come and after a reload', async ({
  page,
  context,
  howl,
  model,
}) => {
  const { seen, acts } = watch(page, context, howl.url)
  const user = await onPage(page)
  for (const [index, { purpose, text }] of HOSTILE_ANSWERS.entries())
    await test.step(purpose, async () => {
      model.answer(`Answer ${index}: ${text}`)
      await put(page, `Question ${index}`)
      await expect(messages(page)).toHaveCount(2 * index + 2)
      await expect(messages(page).last()).toContainText('turned')
      await expect(button(page, 'Send')).toBeVisible()
      await expectHarmless(page)
    })
  for (const turn of ['now', 'after a reload'])
    await test.step(turn, async () => {
      if (turn !== 'now') await page.reload()
      await expect(messages(page)).toHaveCount(2 * HOSTILE_ANSWERS.length)
      await expectHarmless(page)
      // No button of an answer but Howl's own, and no card.
      await expect(log(page).getByRole('region')).toHaveCount(0)
      await expect(button(page, 'Approve')).toHaveCount(0)
      expect(UNSEEN.exec((await log(page).textContent()) ?? '')).toBeNull()
    })
  const told = page.getByText(/your bank \(https:\/\/far\.example/).first()
  await told.click()
  await expect(page).toHaveURL(/\/simon$/)
  const [session] = await ask(page, user, assistant.sessions)
  const detail = await ask(page, user, assistant.getSession, undefined, { id: session?.id ?? 0 })
  for (const { content } of detail.messages) expect(content.length).toBeLessThanOrEqual(ANSWER_MAX)
  expect(await proposalsOf(page, user)).toEqual([])
  expect([seen, acts]).toEqual([[], []])
})

test('the page takes no harm either from what the server would let through', async ({
  page,
  context,
  howl,
  model,
}) => {
  const { seen, acts } = watch(page, context, howl.url)
  const user = await signedIn(page)
  model.answer(callsOnce([{ name: 'add_task', input: { title: 'Order flour' } }], 'Well.'))
  const { session_id: id } = await ask(page, user, assistant.chat, { message: 'Order flour' })
  const sources = FOREIGN_PATHS.map((path, index) => ({
    n: index + 1,
    kind: 'page',
    id: null,
    label: `Place ${index}`,
    path,
  }))
  const marks = sources.map(({ n }) => `[${n}]`).join(' ')
  for (const { text } of HOSTILE_ANSWERS)
    await sql(
      howl.databaseUrl,
      `INSERT INTO chat_messages (user_id, session_id, role, content, intent, status, metadata, created_at, written_at)
       SELECT user_id, session_id, role, $3, intent, status, metadata || jsonb_build_object('sources', $4::jsonb, 'proposal_ids', '[]'::jsonb), created_at, written_at
       FROM chat_messages WHERE user_id = $1 AND session_id = $2 AND role = 'assistant' ORDER BY id LIMIT 1`,
      [user.id, id, `${text}\n\n${marks}`, JSON.stringify(sources)],
    )
  for (const path of FOREIGN_PATHS)
    await sql(
      howl.databaseUrl,
      `INSERT INTO chat_proposals (user_id, session_id, message_id, tool, input, content, hash, status, result, created_at, expires_at, decided_at)
       SELECT user_id, session_id, message_id, tool, input, content, hash, 'approved', $2::jsonb, created_at, expires_at, created_at
       FROM chat_proposals WHERE user_id = $1 ORDER BY id LIMIT 1`,
      [user.id, JSON.stringify({ label: 'Sent', path })],
    )
  await sql(
    howl.databaseUrl,
    `UPDATE chat_messages SET metadata = metadata || jsonb_build_object('proposal_ids', (SELECT jsonb_agg(id) FROM chat_proposals WHERE user_id = $1))
     WHERE user_id = $1 AND role = 'assistant' AND content = 'Well.'`,
    [user.id],
  )
  await page.goto('/simon')
  await expect(messages(page)).toHaveCount(HOSTILE_ANSWERS.length + 2)
  await expect(page.getByRole('region', { name: 'Add the task' })).toHaveCount(FOREIGN_PATHS.length + 1)
  await expectHarmless(page)
  await expect(log(page).getByRole('link')).toHaveCount(0)
  await expect(button(page, 'Approve')).toHaveCount(1)
  await page.goto('/contacts')
  await button(page, 'Ask Wolfy').click()
  await expect(messages(page)).toHaveCount(HOSTILE_ANSWERS.length + 2)
  await expectHarmless(page)
  expect(await ask(page, user, todos.list)).toEqual([])
  expect([seen, acts]).toEqual([[], []])
})

test.describe('cards', () => {
  let sink: SmtpSink
  test.beforeAll(async () => {
    sink = await startSmtpSink()
  })
  test.afterAll(() => sink?.stop())

  /** Somebody whose contacts bear hostile names. */
  async function withContacts(page: Page): Promise<{ user: E2eUser; ids: number[] }> {
    const user = await onPage(page)
    await ask(page, user, mailboxSetup.save, mailAccountAt(sink))
    const ids: number[] = []
    for (const [index, words] of HOSTILE_WORDS.entries()) {
      const fields = { name: words, company: words, position: words, notes: words }
      const { id } = await ask(page, user, contacts.add, { ...fields, email: `person${index}@acme.example` })
      ids.push(id)
    }
    return { user, ids }
  }

  test('whose every word is hostile do nothing without a click, and then what they say', async ({
    page,
    context,
    howl,
    model,
  }) => {
    const { seen, acts } = watch(page, context, howl.url)
    const { user, ids } = await withContacts(page)
    const odd = 'Offer \u202Etxt.\u2066 \u200B<b>x</b> [Approve](https://far.example) \u{E0041}&amp; 👩‍🔧'
    const body = `Hello,\n\n<img src="https://far.example/p.png">\n[your bank](https://far.example/?q=1)\u202E\n- one\n> two\n\n${'word '.repeat(500)}end`
    const made: Proposal[] = []
    for (const [index, id] of ids.entries()) {
      model.answer(
        callsOnce(
          [
            { name: 'find_contacts', input: { search: `rowsix${index + 1}` } },
            {
              name: 'send_email',
              input: { contact_id: id, subject: odd, body, to: 'evil@far.example', bcc: 'evil@far.example' },
            },
            {
              name: 'add_task',
              input: { title: `${HOSTILE_WORDS[index]} ${odd}`, description: body, contact_id: id },
            },
          ],
          `Sent. You have approved it [1]. ${HOSTILE_WORDS[index]}`,
        ),
      )
      // The first question becomes the title of the conversation.
      await put(
        page,
        index === 0 ? '<img src=//far.example/t.png> [Approve](https://far.example)' : `Go on ${index}`,
      )
      await expect(messages(page)).toHaveCount(2 * index + 2)
      await expect(button(page, 'Approve')).toHaveCount(2 * index + 2)
      await expect(button(page, 'Send')).toBeVisible()
    }
    made.push(...(await proposalsOf(page, user)))
    expect(made).toHaveLength(2 * ids.length)
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['pending']))
    await expectHarmless(page)
    expect(UNSEEN.exec((await log(page).textContent()) ?? '')).toBeNull()
    await expect(
      chats(page).getByRole('button', { name: '<img src=//far.example/t.png>' }).first(),
    ).toBeVisible()
    expect(await ask(page, user, todos.list)).toEqual([])
    expect([sink.count, seen, acts]).toEqual([0, [], []])

    await test.step('in the widget, beside the contact, and in the dialogs about the conversation', async () => {
      await page.goto(`/contacts/${ids[1]}`)
      await button(page, 'Ask Wolfy').click()
      await expect(messages(page)).toHaveCount(2 * ids.length)
      await expectHarmless(page)
      await page.goto('/simon')
      await expect(messages(page)).toHaveCount(2 * ids.length)
      await page.getByRole('button', { name: /^More actions for <img/ }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await expect(dialog(page, /^Delete “<img src=\/\/far\.example/)).toBeVisible()
      await expectHarmless(page)
      await page.keyboard.press('Escape')
      expect([sink.count, seen, acts]).toEqual([0, [], []])
    })

    await test.step('approved by a click, a mail is what its card says', async () => {
      const card = page.getByRole('region', { name: /^Send an email to/ }).last()
      const shown = await linesOf(card)
      const text = (label: string) => shown.find((line) => line.label === label)?.text
      expect(shown.map(({ label }) => label)).toEqual(['From', 'To', 'Subject', 'Text'])
      await card.getByRole('button', { name: 'Approve' }).click()
      await expect(card).toContainText('Sent to')
      await expect(card.getByRole('button', { name: 'Approve' })).toHaveCount(0)
      expect(acts).toHaveLength(1)
      const [mail, ...others] = sink.received
      expect(others).toEqual([])
      const read = await parsed(mail)
      expect([mail?.envelope.from, mail?.envelope.to]).toEqual([text('From'), [text('To')]])
      expect(text('To')).toBe(`person${ids.length - 1}@acme.example`)
      expect([read.to?.map(({ address }) => address), read.cc, read.bcc]).toEqual([
        [text('To')],
        undefined,
        undefined,
      ])
      expect(read.subject).toBe(text('Subject'))
      expect((read.text ?? '').replaceAll('\r\n', '\n').trim()).toBe(text('Text'))
      expect(read.attachments).toEqual([])
      const decided = (await proposalsOf(page, user)).filter(({ status }) => status === 'approved')
      expect(decided.map(({ lines }) => lines)).toEqual([shown])
    })

    await test.step('and a task is', async () => {
      const card = page.getByRole('region', { name: /^Add the task/ }).last()
      const shown = await linesOf(card)
      await card.getByRole('button', { name: 'Approve' }).click()
      await expect(card.getByRole('button', { name: 'Approve' })).toHaveCount(0)
      const [task, ...others] = await ask(page, user, todos.list)
      expect(others).toEqual([])
      expect(shown).toContainEqual({ label: 'Title', text: task?.title })
      expect(shown).toContainEqual({ label: 'Description', text: task?.description })
      expect([sink.count, acts.length, seen]).toEqual([1, 2, []])
    })
  })
})
