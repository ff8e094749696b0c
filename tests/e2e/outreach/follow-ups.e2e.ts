import { once } from 'node:events'
import type { Page } from '@playwright/test'
import { Client } from 'pg'
import { Temporal } from 'temporal-polyfill'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { followUps } from '#contract/outreach/follow-ups.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { type E2eUser, expect, signedIn, startHowl, test as base } from '../../support/e2e.ts'
import { bearer, sendByCall } from '../../support/mail-page.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

type House = Awaited<ReturnType<typeof startHowl>>

/** A Howl that a test may start again with another clock, at the same address. */
const test = base.extend<{ house: House }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the wanted fixtures from this pattern
  house: async ({}, use) => {
    const house = await startHowl()
    await use(house)
    await house.end()
  },
  baseURL: ({ house }, use) => use(house.url),
})

async function query(house: House, text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: house.databaseUrl })
  await client.connect()
  try {
    return (await client.query(text, values)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

/** The same Howl, some days later at 10 in the user's morning. */
async function laterOn(house: House, zone: string, days: number): Promise<House> {
  house.child.kill('SIGTERM')
  await once(house.child, 'exit')
  const now = Temporal.Now.zonedDateTimeISO(zone)
  const then = now.toPlainDate().add({ days }).toZonedDateTime({ timeZone: zone, plainTime: '10:00' })
  return startHowl({
    PORT: new URL(house.url).port,
    PUBLIC_URL: house.url,
    DATABASE_URL: house.databaseUrl,
    DATA_DIR: house.dataDir,
    CLOCK_OFFSET: String(Math.round((then.epochMilliseconds - now.epochMilliseconds) / 1000)),
  })
}

async function practising(page: Page): Promise<E2eUser> {
  const user = await signedIn(page)
  const answer = await page.request.post(pathOf(mailboxSetup.practice), { headers: bearer(user) })
  expect(answer.ok()).toBe(true)
  return user
}
async function mailed(page: Page, user: E2eUser, name: string, email: string): Promise<void> {
  const answer = await page.request.post(pathOf(contacts.add), {
    headers: bearer(user),
    data: { name, email },
  })
  expect(answer.ok()).toBe(true)
  await sendByCall(page, user, email, 'An offer for the spring')
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const next = (page: Page) => region(page, 'Who is next').getByRole('listitem')

test('follow-ups are switched on, arrive when somebody is silent, and end with the reply', async ({
  page,
  house,
}) => {
  test.setTimeout(120_000)
  const user = await practising(page)
  await mailed(page, user, 'Ann Quiet', 'ann+silent@corp.example')

  await page.goto('/outreach')
  await page.getByRole('link', { name: 'Follow-ups' }).click()
  await expect(region(page, 'Automatic follow-ups')).toContainText(
    'Nobody is written to. 1 contact would be.',
  )
  await region(page, 'Automatic follow-ups').getByRole('link', { name: 'Switch on in your profile' }).click()
  const card = region(page, 'Auto Follow-ups')
  await card.getByRole('switch').click()
  await card.getByRole('button', { name: 'Save follow-ups' }).click()
  await expect(card.getByText('On', { exact: true })).toBeVisible()
  await card.getByRole('link', { name: 'See who is next' }).click()

  await expect(region(page, 'Automatic follow-ups')).toContainText('Next on')
  await expect(next(page)).toHaveCount(1)
  await expect(next(page)).toContainText('Ann Quiet')
  await expect(next(page)).toContainText('Follow-up 1')
  await expect(region(page, 'What has been sent')).toContainText('Nothing yet')
  const { time_zone: zone } = (await (
    await page.request.get(pathOf(followUps.get), { headers: bearer(user) })
  ).json()) as { time_zone: string }

  const later = await laterOn(house, zone, 3)
  try {
    await page.reload()
    await expect(region(page, 'What has been sent')).toContainText('1 sent', { timeout: 40_000 })
    await expect(next(page)).toContainText('Follow-up 2')
    await page.goto('/profile')
    await expect(card).toContainText('1 follow-up')
    await page.goto('/emails?folder=sent')
    await expect(page.getByText('Re: An offer for the spring').first()).toBeVisible()

    // Ann answers the follow-up.
    const [mail] = await query(
      house,
      `SELECT user_id, mailbox_id, message_id FROM emails WHERE user_id = $1 AND purpose = 'follow_up'`,
      [user.id],
    )
    const raw = `From: Ann Quiet <ann+silent@corp.example>\r\nTo: ada@howl.example\r\nSubject: Re: An offer for the spring\r\nMessage-ID: <ann@corp.example>\r\nIn-Reply-To: <${String(mail?.['message_id'])}>\r\n\r\nYes, please call me.\r\n`
    await query(
      house,
      'INSERT INTO practice_answers (user_id, mailbox_id, due_at, raw) VALUES ($1, $2, now(), $3)',
      [user.id, mail?.['mailbox_id'], Buffer.from(raw)],
    )
    await page.goto('/outreach/follow-ups')
    const others = region(page, 'Why not the others')
    await expect(others.getByRole('button', { name: 'They have replied' })).toBeVisible({ timeout: 40_000 })
    await expect(region(page, 'Who is next')).toContainText('Nobody is waiting for a follow-up')
    await others.getByRole('button', { name: 'They have replied' }).click()
    await expect(others.getByRole('link', { name: 'Ann Quiet' })).toBeVisible()
  } finally {
    later.child.kill('SIGTERM')
    await once(later.child, 'exit')
    await later.end()
  }
})

test('one follow-up is skipped, all are stopped, and both are taken back', async ({ page }) => {
  const user = await practising(page)
  for (const name of ['Bea', 'Cem', 'Dora'])
    await mailed(page, user, `${name} Quiet`, `${name}+silent@corp.example`)
  const answer = await page.request.post(pathOf(contacts.add), {
    headers: bearer(user),
    data: { name: 'Nora New', email: 'new@corp.example' },
  })
  expect(answer.ok()).toBe(true)
  await page.request.put(pathOf(mailboxSetup.save), {
    headers: bearer(user),
    data: { auto_followup_enabled: true },
  })
  await page.goto('/outreach/follow-ups')
  await expect(next(page)).toHaveCount(3)
  await expectSound(page)
  await next(page).filter({ hasText: 'Bea' }).getByRole('button', { name: 'Skip Bea Quiet' }).click()
  await expect(toast(page, 'The next follow-up to Bea Quiet is skipped')).toBeVisible()
  const bea = next(page).filter({ hasText: 'Bea' })
  await expect(bea).toContainText('One is skipped')
  await bea.getByRole('button', { name: 'Undo skip of Bea Quiet' }).click()
  await expect(bea).not.toContainText('One is skipped')

  await next(page)
    .filter({ hasText: 'Cem' })
    .getByRole('button', { name: 'More actions for Cem Quiet' })
    .click()
  await page.getByRole('menuitem', { name: 'Never follow up' }).click()
  await expect(next(page)).toHaveCount(2)
  const others = region(page, 'Why not the others')
  await others.getByRole('button', { name: 'You chose never to follow up' }).click()
  await expect(others.getByRole('link', { name: 'Cem Quiet' })).toBeVisible()
  await others.getByRole('button', { name: 'You have not written to them yet' }).click()
  await expect(others.getByRole('link', { name: 'Nora New' })).toBeVisible()
  await expectSound(page)
  await others.getByRole('button', { name: 'Follow up again: Cem Quiet' }).click()
  await expect(next(page)).toHaveCount(3)
})
