import type { Page } from '@playwright/test'
import pg from 'pg'
import { FOLDERS } from '#contract/mail/email.ts'
import { expect, test } from '../../support/e2e.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { deliver, list, openMail, row, rows, search, withMailbox } from '../../support/mail-page.ts'

const PASSWORD = 'open sesame'
/** How long an answer may take from the mail server to the screen. */
const ARRIVES_MS = 20_000

let servers: MailServers
test.beforeAll(async () => {
  servers = await startMailServers({ users: { ida: PASSWORD } })
})
test.afterAll(() => servers?.stop())

test('a search says how many mails it could not look into yet, and renews itself', async ({ page, howl }) => {
  const user = await withMailbox(page, servers, 'ida', PASSWORD)
  const holding = await holdWords(howl.databaseUrl, user.id)
  try {
    await deliver(servers, 'ida', [
      { from: 'Anna Berg <anna@bakery.example>', subject: 'Bread on Fridays', text: 'Rye and spelt.' },
      { from: 'Ben Ott <ben@garden.example>', subject: 'Garden', text: 'Roses.' },
    ])
    await openMail(page)
    await expect(rows(page, 'Inbox')).toHaveCount(2, { timeout: ARRIVES_MS })
    const elsewhere = answersElsewhere(page, 'spelt')
    await search(page).fill('spelt')
    await expect(list(page, 'Inbox')).toContainText('2 emails are still being made searchable.')
    await expect(list(page, 'Inbox')).toContainText('No emails found yet')
    await elsewhere
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('spelt')
    const palette = page.getByRole('dialog', { name: 'Search everything' })
    await expect(palette).toContainText('Nothing found yet.')
    await expect(palette).toContainText('2 emails are still being made searchable.')
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
    // What the other folders have answered is shown by now.
    await expect(list(page, 'Inbox')).not.toContainText('Nothing in the other folders matches either.')
  } finally {
    await holding.end()
  }
  await expect(row(page, 'Inbox', 'Bread on Fridays')).toBeVisible()
  await expect(rows(page, 'Inbox')).toHaveCount(1)
  await expect(page.getByText('still being made searchable')).toBeHidden()
  await search(page).fill('barley')
  await expect(list(page, 'Inbox')).toContainText('Nothing in Inbox matches “barley”.')
})

/** Resolves when every other folder than the inbox has answered whether it has the words. */
async function answersElsewhere(page: Page, words: string): Promise<void> {
  const others = FOLDERS.filter((folder) => folder !== 'inbox')
  const answers = others.map((folder) =>
    page.waitForResponse((response) => {
      const query = new URL(response.url()).searchParams
      return query.get('folder') === folder && query.get('search') === words
    }),
  )
  await Promise.all(answers)
}

/** Takes the place of the worker that writes this user's words, so that none are written until the connection ends. */
async function holdWords(databaseUrl: string, userId: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`SELECT pg_advisory_lock(hashtextextended('mail words', $1))`, [userId])
  return client
}
