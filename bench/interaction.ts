import { chromium, type Page } from '@playwright/test'
import { signUp, type TestUser } from '../tests/support/factories.ts'
import { findBrowser } from '../tests/support/find-browser.mjs'
import { type Benchmark, median, quantile, whole } from './parts/figure.ts'
import { fillInbox } from './parts/fill-inbox.ts'
import { type BenchHowl, startHowl } from './parts/howl.ts'

const MAILS = 10_000
const SLOWDOWN = 4
/** Shorter ones the browser does not tell of; they count as this long. */
const TOLD_FROM_MS = 16

/** How long the page takes from a key or a click to the next paint, on a processor that is four times slower. */
export const interaction: Benchmark = {
  name: 'interaction',
  measure: async () => {
    const howl = await startHowl()
    try {
      const user = await signUp(howl.url)
      await fillInbox(howl, user, MAILS)
      const took = await inBrowser(howl, user)
      const worst = Math.max(...took.map(({ ms }) => ms))
      const slow = took.toSorted((one, other) => other.ms - one.ms).slice(0, 5)
      return [
        {
          name: `mail page, interaction to next paint, ${SLOWDOWN}× slower processor`,
          baseline: '–',
          howl: `${whole(
            quantile(
              took.map(({ ms }) => ms),
              0.98,
            ),
          )} ms`,
          ratio: quantile(
            took.map(({ ms }) => ms),
            0.98,
          ),
          reach: { atMost: 100 },
          unit: 'ms',
          notes: [
            `${took.length} interactions; median ${whole(median(took.map(({ ms }) => ms)))} ms, worst ${whole(worst)} ms`,
            `the slowest: ${slow.map(({ name, ms }) => `${name} ${whole(ms)} ms`).join(', ')}`,
          ],
        },
      ]
    } finally {
      await howl.end()
    }
  },
}

type Interaction = { name: string; ms: number }

async function inBrowser(howl: BenchHowl, user: TestUser): Promise<Interaction[]> {
  const { executablePath, args } = await findBrowser()
  const browser = await chromium.launch({
    executablePath,
    args: [...args, '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${howl.url}/health`)
    await page.evaluate((token) => localStorage.setItem('token', token), user.token)
    await page.addInitScript(watchInteractions, TOLD_FROM_MS)
    await page.goto(`${howl.url}/emails?page_size=50`)
    await page.getByRole('region', { name: 'Inbox' }).getByRole('listitem').nth(10).waitFor()
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    return await work(page)
  } finally {
    await browser.close()
  }
}

/** In the page: keeps the longest event of each interaction, as the browser tells it. */
function watchInteractions(from: number): void {
  const longest = new Map<number, number>()
  Object.assign(window, { longestOf: longest })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId: number })[])
      if (entry.interactionId > 0)
        longest.set(entry.interactionId, Math.max(entry.duration, longest.get(entry.interactionId) ?? 0))
  }).observe({ type: 'event', durationThreshold: from, buffered: true } as PerformanceObserverInit)
}

/** What somebody does in a minute of mail; each step is one interaction. */
async function work(page: Page): Promise<Interaction[]> {
  const took: Interaction[] = []
  const key = async (pressed: string, name = pressed) => {
    await page.keyboard.press(pressed)
    took.push({ name, ms: await longestSince(page) })
  }
  for (let times = 0; times < 8; times += 1) await key('j')
  await key('Enter', 'open')
  for (let times = 0; times < 4; times += 1) await key('j', 'next mail')
  await key('s', 'star')
  await key('e', 'archive')
  await key('k', 'previous mail')
  await key('Escape', 'close')
  for (let times = 0; times < 3; times += 1) {
    await key('x', 'select')
    await key('j')
  }
  await key('Escape', 'unselect')
  await key('/', 'to the search')
  for (const letter of 'zeppelin') await key(letter, `type ${letter}`)
  await key('Escape', 'leave the search')
  await page.getByRole('button', { name: /^Sent/ }).click()
  took.push({ name: 'folder', ms: await longestSince(page) })
  await page.getByRole('button', { name: /^Inbox/ }).click()
  took.push({ name: 'folder back', ms: await longestSince(page) })
  await key('c', 'compose')
  await page.getByRole('dialog').getByLabel('To').waitFor()
  await page.getByRole('dialog').getByLabel('Subject').click()
  took.push({ name: 'into the subject', ms: await longestSince(page) })
  for (const letter of 'hello') await key(letter, `write ${letter}`)
  return took
}

/** Waits for the next two frames and takes the longest event told since the last time. */
async function longestSince(page: Page): Promise<number> {
  return page.evaluate(
    (least) =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() =>
            setTimeout(() => {
              const longest = (window as unknown as { longestOf: Map<number, number> }).longestOf
              const found = Math.max(least, ...longest.values())
              longest.clear()
              resolve(found)
            }, 150),
          ),
        ),
      ),
    TOLD_FROM_MS,
  )
}
