import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { type Contact, contact, contacts } from '#contract/crm/contacts.ts'
import { tag, tags } from '#contract/crm/tags.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { sequences, sequenceSummary } from '#contract/outreach/sequences.ts'
import { timeline, type TimelineEntry } from '#contract/overview/timeline.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const VIP = blank(tag, { id: 1, name: 'VIP', colour: 'gray' })
const BEA: Contact = blank(contact, {
  id: 7,
  name: 'Bea Bright',
  email: 'bea@x.example',
  company: 'Bright Ltd',
  position: 'Buyer',
  phone: '+49 30 1234567',
  notes: 'Likes bricks',
  tags: [VIP],
})
const ADDED: TimelineEntry = { kind: 'added', id: 7, at: '2026-01-01T08:00:00Z' }
const mail = (id: number): TimelineEntry => ({
  kind: 'email',
  id,
  at: new Date(Date.UTC(2026, 2, 1) - id * 3_600_000).toISOString(),
  direction: 'in',
  subject: `Mail ${id}`,
  content: `The words of mail ${id}`,
  folder: 'inbox',
  delivery: null,
  is_read: true,
  has_files: false,
})
const ALL = [...Array.from({ length: 75 }, (_, at) => mail(at + 1)), ADDED]

const button = (name: string) => page.getByRole('button', { name, exact: true })
const region = (name: string) => page.getByRole('region', { name, exact: true })
const entries = region('Timeline').getByRole('listitem')

/** A server that keeps what is changed of Bea. */
function beaApi(fields: Partial<Contact> = {}): FakeApi {
  let bea = { ...BEA, ...fields }
  return fakeApi()
    .answers(contacts.get, () => bea)
    .answers(contacts.list)
    .answers(contacts.update, ({ body }) => {
      const { tags: names, ...changes } = body
      const given = names?.map((each, at) =>
        blank(tag, { id: at + 1, name: typeof each === 'string' ? each : each.name, colour: 'gray' }),
      )
      return (bea = { ...bea, ...changes, tags: given ?? bea.tags } as Contact)
    })
    .answers(timeline.ofContact, { entries: [mail(1), ADDED], next: null })
    .answers(automaticMail.ofContact)
    .answers(sequences.ofContact)
    .answers(tags.list, [VIP])
    .answers(contactImports.list)
}

test('all that is known of a contact is shown, with the ways from there', async () => {
  beaApi()
  openPage('/contacts/7')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Bea Bright' })).toBeVisible()
  await expect.poll(() => document.title).toMatch(/Bea Bright/)
  const details = region('Details')
  await expect.element(details.getByRole('link', { name: 'bea@x.example' })).toBeVisible()
  for (const text of ['+49 30 1234567', 'Bright Ltd', 'Buyer', 'Prospect', 'Never'])
    await expect.element(details.getByText(text, { exact: true })).toBeVisible()
  await expect.element(page.getByRole('list', { name: 'Tags' }).getByText('VIP')).toBeVisible()
  await expect.element(region('Timeline').getByText('The words of mail 1')).toBeVisible()
  await expect
    .element(region('Timeline').getByRole('link', { name: 'Mail 1' }))
    .toHaveAttribute('href', '/emails?folder=inbox&email=1')
  await expect
    .element(page.getByRole('link', { name: 'Schedule Meeting' }))
    .toHaveAttribute('href', '/meetings?attendee=bea%40x.example')
  await expectSound()
})

test('notes are written where they stand, and a change from elsewhere does not take them away', async () => {
  const api = beaApi()
  openPage('/contacts/7')
  const notes = page.getByRole('textbox', { name: 'Notes' })
  await expect.element(notes).toHaveValue('Likes bricks')
  await notes.fill('Likes red bricks')
  api.answers(contacts.get, { ...BEA, company: 'Brighter Ltd' })
  api.tells({ topic: 'contacts' })
  await expect.element(region('Details').getByText('Brighter Ltd')).toBeVisible()
  await expect.element(notes).toHaveValue('Likes red bricks')
  api.refuses(contacts.update, 500, 'The disk is full.')
  await button('Save notes').click()
  await expect.element(page.getByRole('alert').filter({ hasText: 'The disk is full.' })).toBeVisible()
  await expect.element(notes).toHaveValue('Likes red bricks')

  const saved = { ...BEA, notes: 'Likes red bricks' }
  api.answers(contacts.update, saved).answers(contacts.get, saved)
  await button('Save notes').click()
  await expect.element(toast('Contact updated')).toBeVisible()
  expect(api.calls(contacts.update).at(-1)?.body).toEqual({ notes: 'Likes red bricks' })
  await notes.fill('Nothing')
  await userEvent.keyboard('{Escape}')
  await expect.element(notes).toHaveValue('Likes red bricks')
})

test('tags are changed on the page, a new one made on the fly', async () => {
  const starting = { starts: ['trade fair'], asks: [], adds: [] }
  beaApi({ tags: [] }).answers(sequences.list, [
    blank(sequenceSummary, { name: 'After the fair', state: 'running', tags: starting }),
  ])
  openPage('/contacts/7')
  await button('Edit tags').click()
  const dialog = page.getByRole('dialog', { name: 'Tags of Bea Bright' })
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('Trade fair')
  await dialog.getByRole('option', { name: 'Create “Trade fair”' }).click()
  const note = dialog.getByText('“Trade fair” starts the sequence “After the fair” for them.')
  await expect.element(note).toBeVisible()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect.element(page.getByRole('list', { name: 'Tags' }).getByText('Trade fair')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  await button('Edit tags').click()
  const remove = dialog.getByRole('button', { name: 'Remove tag Trade fair' })
  await expect.element(remove).toBeVisible()
  // They have it already.
  await expect.element(note).not.toBeInTheDocument()
  await remove.click()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect.element(page.getByRole('list', { name: 'Tags' })).not.toBeInTheDocument()
})

test('who has unsubscribed can only change that themselves', async () => {
  beaApi({ suppressed: 'unsubscribed' })
  openPage('/contacts/7')
  await expect.element(page.getByText('they unsubscribed. Only they can change that.')).toBeVisible()
  await expect.element(button('Allow mailing')).not.toBeInTheDocument()
})

test('what the user stopped the user allows again', async () => {
  const api = beaApi({ suppressed: 'manual' }).answers(contacts.liftMailing, { changed: 1, unchanged: 0 })
  openPage('/contacts/7')
  await expect.element(page.getByText('you stopped them.')).toBeVisible()
  api.answers(contacts.get, BEA)
  await button('Allow mailing').click()
  await expect.element(toast('Bea Bright can be mailed again')).toBeVisible()
  await expect.element(page.getByText('you stopped them.')).not.toBeInTheDocument()
  expect(api.calls(contacts.liftMailing).map(({ body }) => body)).toEqual([{ ids: [7] }])
})

test('a long history comes in pages', async () => {
  beaApi().answers(timeline.ofContact, ({ query }) => {
    const from = Number(query.after ?? 0)
    return { entries: ALL.slice(from, from + 30), next: from + 30 < ALL.length ? String(from + 30) : null }
  })
  openPage('/contacts/7')
  await expect.element(entries).toHaveLength(30)
  await button('Show earlier').click()
  await expect.element(entries).toHaveLength(60)
  await button('Show earlier').click()
  await expect.element(entries).toHaveLength(76)
  await expect.element(button('Show earlier')).not.toBeInTheDocument()
})

test.each(['/contacts/987654321', '/contacts/nonsense'])('%s says that there is none', async (address) => {
  beaApi().refuses(contacts.get, 404, 'There is none.', { code: 'NOT_FOUND' })
  openPage(address)
  await expect.element(page.getByText('This contact does not exist.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Contacts' }).click()
  await expect.element(page.getByText('No contacts yet')).toBeVisible()
})

test('a timeline that cannot be loaded is asked for again', async () => {
  const api = beaApi().refuses(timeline.ofContact, 500, 'Oh')
  openPage('/contacts/7')
  await expect.element(page.getByText('Failed to load the timeline')).toBeVisible()
  api.answers(timeline.ofContact, { entries: [ADDED], next: null })
  await button('Try again').click()
  await expect.element(page.getByText('Added to contacts')).toBeVisible()
})
