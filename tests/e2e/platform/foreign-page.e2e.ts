import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from '@playwright/test'
import { auth } from '#contract/accounts/auth.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { expect, newUser, startHowl, test } from '../../support/e2e.ts'

/** Posts as a page may without asking first: its browser sends them, and the page reads no answer. */
const POSTS = 24

/** A site at `host`, whose page posts to a log-in as soon as it is open. */
async function startForeignSite(
  host: string,
  target: string,
): Promise<{ url: string; close: () => Promise<void> }> {
  const script = `Promise.allSettled(Array.from({ length: ${POSTS} }, (_, n) => fetch('${target}', {
    method: 'POST', mode: 'no-cors', referrerPolicy: n % 2 === 0 ? 'no-referrer' : '',
    body: n % 3 === 0 ? undefined : '{"email":"ada","password":"guess"}' })))
    .then((all) => { document.title = all.length + ' posts have ended' })`
  const site = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end(`<title>Cats</title><script>${script}</script>`)
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  return {
    url: `http://${host}:${(site.address() as AddressInfo).port}/`,
    close: async () => {
      site.close()
      site.closeAllConnections()
      await once(site, 'close')
    },
  }
}

/** Opens the page until all its posts have ended. Its browser shows it no answer. */
async function visit(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage()
  await page.goto(url)
  await expect(page).toHaveTitle(`${POSTS} posts have ended`)
  await page.close()
}

const SITES = [
  ['another site', 'localhost'],
  // For a browser, ports of one machine are like subdomains of one domain.
  ['a site next to it', '127.0.0.1'],
] as const
for (const [what, host] of SITES)
  test(`a page of ${what} posts to the log-in, and its visitor can still log in`, async ({ browser }) => {
    const app = await startHowl({ RATE_LIMITS: 'on' })
    const site = await startForeignSite(host, app.url + pathOf(auth.login))
    const page = await browser.newPage({ baseURL: app.url })
    try {
      const user = await newUser(page)
      await visit(browser, site.url)
      await page.goto('/login')
      await page.getByRole('textbox', { name: 'Email' }).fill(user.email)
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(user.password)
      await page.getByRole('button', { name: 'Login', exact: true }).click()
      await expect(page).toHaveURL(/\/dashboard/)
    } finally {
      await page.close()
      await site.close()
      await app.end()
    }
  })
