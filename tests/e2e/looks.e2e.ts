import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { templates } from '#contract/outreach/templates.ts'
import type { paths } from '#web/platform/paths.ts'
import { outreachPaths } from '#web/outreach/runs/outreach-tabs.ts'
import { makeBusy } from '../support/busy-day.ts'
import { call } from '../support/client.ts'
import { expect, type Howl, signedIn, signedInAdministrator, test } from '../support/e2e.ts'
import { anInvoice } from '../support/invoices.ts'
import { expectSound } from '../support/sound-page.ts'

// Every address of the app with much on it: axe and the width in each look, and what only a load shows: errors in the console
// and calls to other hosts. Dialogs and rarer states are looked at where they are tested.
test.describe.configure({ mode: 'parallel' })

type Reader = 'visitor' | 'user' | 'administrator'
type Seeded = { contact: number; invoice: number; quote: number; sequence: number; template: number }

/** Who looks at an address, and where it leads for them; null where the server redirects or another address shows the same. */
const LOOKED_AT: Record<keyof typeof paths, [Reader, (seeded: Seeded) => string[]] | null> = {
  home: ['visitor', () => ['/']],
  login: ['visitor', () => ['/login']],
  resetPassword: ['visitor', () => ['/reset-password', '/reset-password?token=abc']],
  pricing: ['visitor', () => ['/pricing', '/pricing?tab=invite']],
  terms: ['visitor', () => ['/terms']],
  privacy: ['visitor', () => ['/privacy']],
  returns: ['visitor', () => ['/returns']],
  unsubscribe: ['visitor', () => ['/unsubscribe/nonsense']],
  sharedInvoice: ['visitor', () => ['/i/nonsense']],
  confirmEmail: ['visitor', () => ['/confirm-email', '/confirm-email?token=of-a-link']],
  adminLogin: ['visitor', () => ['/admin-login']],
  secureAdminLogin: ['visitor', () => ['/secure-admin-login']],
  claim: ['visitor', () => ['/claim?token=x']],
  dashboard: ['user', () => ['/dashboard']],
  contacts: ['user', () => ['/contacts', '/contacts?search=nobody']],
  contact: ['user', ({ contact }) => [`/contacts/${contact}`]],
  emails: ['user', () => ['inbox', 'sent', 'drafts', 'trash'].map((folder) => `/emails?folder=${folder}`)],
  meetings: ['user', () => ['/meetings', '/meetings?view=list', '/meetings?month=2020-01']],
  invoices: ['user', () => ['/invoices', '/invoices?kind=quote']],
  invoiceList: ['user', () => ['/invoices/all', '/invoices/all?status=quotes']],
  invoice: [
    'user',
    ({ invoice, quote }) => [
      `/invoices/${invoice}`,
      `/invoices/${invoice}?view=document`,
      `/invoices/${quote}`,
    ],
  ],
  recurringInvoices: ['user', () => ['/invoices/recurring']],
  invoiceSettings: ['user', () => ['/invoices/settings']],
  paymentReminders: ['user', () => ['/invoices/reminders']],
  outreach: [
    'user',
    ({ sequence, template }) => [
      ...Object.values(outreachPaths),
      `${outreachPaths.sequences}/${sequence}`,
      `${outreachPaths.templates}/${template}`,
    ],
  ],
  assistant: ['user', () => ['/simon']],
  assistantByName: null,
  profile: ['user', () => ['/profile']],
  deleteAccount: ['user', () => ['/delete-account']],
  connectMailbox: ['user', () => ['/connect-mailbox']],
  admin: [
    'administrator',
    () =>
      ['overview', 'users', 'analytics', 'feedback', 'management'].map(
        (tab) => `/wolf-admin-secure-2024?tab=${tab}`,
      ),
  ],
  adminFeedback: ['administrator', () => ['/wolf-admin-secure-2024/feedback']],
  adminSystem: ['administrator', () => ['/wolf-admin-secure-2024/system']],
  secureAdmin: ['administrator', () => ['/secure-admin-dashboard']],
  community: null,
}

const addressesOf = (reader: Reader, seeded: Seeded) =>
  Object.values(LOOKED_AT).flatMap((each) => (each?.[0] === reader ? each[1](seeded) : []))

const NOTHING: Seeded = { contact: 0, invoice: 0, quote: 0, sequence: 0, template: 0 }

test('visitors', async ({ page, howl }) => {
  await lookAt(page, howl, addressesOf('visitor', NOTHING))
})

for (const part of [0, 1])
  test(`a busy user, part ${part + 1} of 2`, async ({ page, howl }) => {
    const { id, token } = await signedIn(page)
    const all = addressesOf('user', await seed(howl, id, token))
    await lookAt(
      page,
      howl,
      all.filter((_, at) => at % 2 === part),
    )
  })

test('an administrator', async ({ page, howl }) => {
  await signedInAdministrator(page, howl)
  await lookAt(page, howl, addressesOf('administrator', NOTHING))
})

/** Gives a user something on every page. */
async function seed(howl: Howl, userId: number, token: string): Promise<Seeded> {
  await makeBusy(howl, userId, { mails: 300 })
  const good = async <T>(
    asked: Promise<{ status: number; body: T; error: { detail: string } }>,
  ): Promise<T> => {
    const { status, body, error } = await asked
    if (status !== 200) throw new Error(error.detail)
    return body
  }
  await good(call(howl.url, mailboxSetup.practice, { token }))
  const [contact] = await good(call(howl.url, contacts.list, { token, query: { page_size: 1 } }))
  const invoice = await good(call(howl.url, invoices.add, { token, body: anInvoice({ number: 'R-1' }) }))
  await good(call(howl.url, invoices.issue, { token, params: { id: invoice.id } }))
  const quote = await good(call(howl.url, invoices.add, { token, body: anInvoice({ kind: 'quote' }) }))
  const repeated = await good(call(howl.url, invoices.add, { token, body: anInvoice() }))
  const every = { invoice_id: repeated.id, every: 'month', first_on: '2099-01-31' } as const
  await good(call(howl.url, recurringInvoices.add, { token, body: every }))
  const sequence = await good(call(howl.url, sequences.add, { token, body: { name: 'Slow bread' } }))
  const template = await good(
    call(howl.url, templates.add, { token, body: { name: 'Bread', subject: 'Bread', body: 'Hello' } }),
  )
  return {
    contact: contact?.id ?? 0,
    invoice: invoice.id,
    quote: quote.id,
    sequence: sequence.id,
    template: template.id,
  }
}

async function lookAt(page: Page, howl: Howl, addresses: readonly string[]): Promise<void> {
  const faults: string[] = []
  const pending = new Set<unknown>()
  page.on('console', (said) => {
    // A server that refuses a call, as one for a link that is none, is no fault of the page.
    const isFault = said.type() === 'error' && !said.text().startsWith('Failed to load resource')
    if (isFault) faults.push(`console: ${said.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const { host, pathname } = new URL(request.url())
    if (host !== '' && host !== new URL(howl.url).host) faults.push(`call to ${host}`)
    if (!pathname.endsWith('/events')) pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  test.setTimeout(addresses.length * 15_000)
  for (const address of addresses)
    await test.step(address, async () => {
      await page.goto(address)
      await page.locator('h1').first().waitFor()
      await expect.poll(() => pending.size, { intervals: [20, 50, 100] }).toBe(0)
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectSound(page)
      expect(faults, address).toEqual([])
    })
}
