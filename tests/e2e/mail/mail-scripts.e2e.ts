import type { Locator, Page, Route } from '@playwright/test'
import { expect, test } from '../../support/e2e.ts'
import { MAIL } from '../../support/a-mail.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import {
  deliver,
  dialog,
  inMail,
  opened,
  openMail,
  row,
  rows,
  sendByCall,
  serveList,
  withMailbox,
} from '../../support/mail-page.ts'
import { ARRIVES_MS, PASSWORD } from '../../support/mail-writing.ts'

/** What may have been asked for before the first mail of the list is there, packed with gzip as it travels. */
const MOST_KB = 150
/** And in how many files: each one is a request of its own. */
const MOST_SCRIPTS = 20

type Script = { name: string; bytes: number; asked: number }

let servers: MailServers
test.beforeAll(async () => {
  servers = await startMailServers({ users: { ana: PASSWORD } })
})
test.afterAll(() => servers?.stop())

test(`the first mail of the list needs at most ${MOST_KB} kB of scripts; the rest comes after it`, async ({
  page,
  browser,
  howl,
}) => {
  await deliver(
    servers,
    'ana',
    Array.from({ length: 12 }, (_, index) => ({
      from: 'Anna Berg <anna@bakery.example>',
      subject: `Offer ${index}`,
    })),
  )
  const user = await withMailbox(page, servers, 'ana', PASSWORD)
  await openMail(page)
  await expect(rows(page, 'Inbox')).toHaveCount(10, { timeout: ARRIVES_MS })

  // Nothing of it is in the cache of another context.
  const context = await browser.newContext({
    baseURL: howl.url,
    extraHTTPHeaders: { 'Accept-Encoding': 'gzip' },
  })
  const cold = await context.newPage()
  await cold.goto('/health')
  await cold.evaluate((token) => localStorage.setItem('token', token), user.token)
  await cold.addInitScript(noteFirstRow)
  const packings = new Set<string | undefined>()
  cold.on('response', (response) => {
    if (response.url().endsWith('.js')) packings.add(response.headers()['content-encoding'])
  })
  await cold.goto('/emails')
  await expect(rows(cold, 'Inbox').first()).toBeVisible()
  // What is for writing comes by itself, and comes last.
  await expect.poll(async () => (await scriptsOf(cold)).map(({ name }) => name)).toContain('ComposeDialog')
  const firstRow = await cold.evaluate(() => (window as unknown as { firstRowAt: number }).firstRowAt)
  const scripts = (await scriptsOf(cold)).filter(({ asked }) => asked <= firstRow)
  await context.close()

  packings.delete(undefined) // too small to be packed
  expect([...packings]).toEqual(['gzip'])
  const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0)
  const lines = scripts
    .toSorted((one, other) => other.bytes - one.bytes)
    .map(({ name, bytes }) => `${(bytes / 1000).toFixed(1).padStart(8)}  ${name}`)
  process.stdout.write(
    `Before the first mail: ${(total / 1000).toFixed(1)} kB in ${scripts.length} scripts\n${lines.join('\n')}\n`,
  )
  expect(scripts.map(({ name }) => name)).not.toContain('DialogPopup')
  expect(total / 1000).toBeLessThanOrEqual(MOST_KB)
  expect(scripts.length).toBeLessThanOrEqual(MOST_SCRIPTS)
})

/** Holds scripts back until they are let go. */
async function holdBack(page: Page, pattern: RegExp) {
  const held: Route[] = []
  let letThrough = false
  await page.route(pattern, (route) => (letThrough ? route.continue() : void held.push(route)))
  return {
    asked: () => expect.poll(() => held.length).toBeGreaterThan(0),
    letGo: async () => {
      letThrough = true
      await Promise.all(held.map((route) => route.continue()))
    },
  }
}

const firstMail = (page: Page) => row(page, 'Inbox', MAIL.subject)
const composing = (page: Page) => page.getByRole('button', { name: 'Compose' })
const NEAR: readonly [how: string, come: (to: Locator) => Promise<void>][] = [
  ['a mouse', (to) => to.hover()],
  ['keys', (to) => to.focus()],
]
for (const [how, come] of NEAR) {
  test(`the part that is wanted next is fetched when somebody comes near with ${how}`, async ({ page }) => {
    // A browser that is never idle.
    await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }))
    await serveList(page, [MAIL])
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const parts = () => asked.flatMap((url) => /\/(ReadingPane|ComposeDialog)-/.exec(url)?.[1] ?? [])
    await inMail(page)
    await expect(firstMail(page)).toBeVisible()
    expect(parts()).toEqual([])
    await come(firstMail(page).getByRole('link'))
    await expect.poll(parts).toEqual(['ReadingPane'])
    await come(composing(page))
    await expect.poll(parts).toEqual(['ReadingPane', 'ComposeDialog'])
  })
}

test('a mail that is opened before its parts have come shows that they are coming, and then itself', async ({
  page,
}) => {
  const parts = await holdBack(page, /\/assets\/ReadingPane-/)
  const user = await inMail(page, { at: '/emails?folder=sent' })
  await sendByCall(page, user, 'eva+silent@tea.example', 'Early')
  await row(page, 'Sent', 'Early').getByRole('link').click()
  await parts.asked()
  const pane = page.getByRole('region', { name: 'Email', exact: true })
  await expect(pane).toHaveAttribute('aria-busy', 'true')
  await parts.letGo()
  await expect(opened(page, 'Early')).toContainText('About Early.')
})

test('who writes before the parts for it have come loses no letter and strikes nothing else', async ({
  page,
}) => {
  const parts = await holdBack(page, /\/assets\/(DialogPopup|WritingDialog|ComposeDialog)-/)
  await serveList(page, [{ ...MAIL, subject: 'Stays' }])
  let actions = 0
  await page.route('**/api/v1/emails/{archive,trash,spam}/**', (route) => {
    actions += 1
    return route.abort()
  })
  await inMail(page)
  await row(page, 'Inbox', 'Stays').getByRole('link').focus()
  await page.keyboard.press('c')
  await parts.asked()
  const coming = dialog(page, 'Loading...')
  await expect(coming).toBeVisible()
  await expect(coming).toHaveAttribute('aria-busy', 'true')
  // Each of these would be an action on the mail.
  await page.keyboard.type('eve@#!')
  await page.keyboard.press('Backspace')
  await parts.letGo()
  await expect(dialog(page, 'Compose').getByLabel('To')).toHaveValue('eve@#')
  await expect(coming).toBeHidden()
  expect(actions).toBe(0)
  await expect(page.locator('[data-row]', { hasText: 'Stays' })).toBeAttached()
})

test('what is still on its way is closed with Esc', async ({ page }) => {
  const parts = await holdBack(page, /\/assets\/DialogPopup-/)
  await serveList(page, [MAIL])
  await inMail(page)
  await page.getByRole('button', { name: 'Compose' }).click()
  await parts.asked()
  await expect(dialog(page, 'Loading...')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Loading...')).toBeHidden()
  await parts.letGo()
  await page.getByRole('button', { name: 'Compose' }).click()
  await expect(dialog(page, 'Compose')).toBeVisible()
})

/** In the page: notes when the first row of a list is in it. */
function noteFirstRow(): void {
  performance.setResourceTimingBufferSize(1000)
  new MutationObserver((_, observer) => {
    if (document.querySelector('[data-row]') === null) return
    observer.disconnect()
    Object.assign(window, { firstRowAt: performance.now() })
  }).observe(document, { childList: true, subtree: true })
}

/** The scripts that have come, by the names of their modules. */
function scriptsOf(page: Page): Promise<Script[]> {
  return page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const found = new Map<string, Script>()
    for (const { name: url, encodedBodySize: bytes, startTime: asked } of entries) {
      if (!url.endsWith('.js') || bytes === 0) continue
      const name = /([^/]+?)(?:-[\w-]{7})?\.js$/.exec(url)?.[1] ?? url
      const before = found.get(url)
      found.set(url, { name, bytes, asked: Math.min(asked, before?.asked ?? asked) })
    }
    return [...found.values()]
  })
}
