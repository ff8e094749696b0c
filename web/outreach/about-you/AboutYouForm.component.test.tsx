import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { type Brief, briefs } from '#contract/outreach/briefs.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { templates } from '#contract/outreach/templates.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const BRIEF: Brief = {
  offer: 'We look after the gardens of restaurants.',
  audience: 'houses with a terrace',
  benefit: 'Your guests sit in the green from April on.',
  proof: 'Hotel Sonne has worked with us since 2019.',
  ask: 'May I come by and look at your terrace?',
  tone: 'plain',
  language: 'en',
  signature: '',
  version: 1,
  made_at: '2027-03-01T08:00:00Z',
}
const NEWER: Brief = { ...BRIEF, offer: 'We plant terraces.', version: 2 }

const form = page.getByRole('form', { name: 'About you' })
const field = (label: string) => form.getByLabelText(label, { exact: true })
const save = form.getByRole('button', { name: 'Save' })
const example = page.getByRole('region', { name: 'How the first email would sound' })
const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })

/** A server that keeps versions, and shows of an email what is offered. */
function briefApi(...versions: Brief[]): FakeApi {
  let kept = versions
  return fakeApi()
    .answers(briefs.versions, () => kept)
    .answers(briefs.get, () => kept[0] ?? null)
    .answers(briefs.save, ({ body }) => {
      const now: Brief = { ...body, version: kept.length + 1, made_at: '2027-03-02T08:00:00Z' }
      kept = [now, ...kept]
      return now
    })
    .answers(outreach.example, ({ body }) => ({ name: 'Anna Berg', subject: 'Terraces', text: body.offer }))
    .answers(automaticMail.accounts)
    .answers(mailboxes.get)
    .answers(templates.list)
    .answers(templates.house)
    .answers(templates.values)
}

test('faults stand beside their fields', async () => {
  const api = briefApi()
  openPage('/outreach/about-you')
  await expect.element(example).toMatchTextContent('Say what you offer, and the email appears here')
  await expectSound()
  await field('Who it is for').fill('dear {{name}}')
  await save.click()
  await expect.element(form.getByText('Please say what you offer')).toBeVisible()
  await expect.element(form.getByText('{{ }} is not filled in here')).toBeVisible()
  await expect.element(field('What you offer')).toHaveFocus()
  expect(api.calls(briefs.save)).toEqual([])
  // What is left unsaved would be brought back in the next test.
  await form.getByRole('button', { name: 'Discard changes' }).click()
  await expect.element(save).toBeDisabled()
})

test('the email is shown while one types, and what was typed is what is saved', async () => {
  const api = briefApi()
  openPage('/outreach/about-you')
  await field('What you offer').fill(BRIEF.offer)
  await expect.element(example).toMatchTextContent('To Anna Berg')
  await expect.element(example).toMatchTextContent(BRIEF.offer)
  await field('Tone').selectOptions('Friendly')
  await save.click()
  await expect.element(toast('Saved. Your next emails are written from it.')).toBeVisible()
  expect(api.calls(briefs.save).map(({ body }) => body)).toMatchObject([
    { offer: BRIEF.offer, tone: 'friendly', language: 'en' },
  ])
})

test('what is not saved is asked about before a link leads away, and can be given up', async () => {
  briefApi(NEWER, BRIEF)
  openPage('/outreach/about-you')
  await expect.element(field('What you offer')).toHaveValue('We plant terraces.')
  await expect.element(save).toBeDisabled()
  await field('Proof').fill('Half a thought')
  await page.getByRole('link', { name: 'Templates' }).click()
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(field('Proof')).toHaveValue('Half a thought')
  await form.getByRole('button', { name: 'Discard changes' }).click()
  await expect.element(field('Proof')).toHaveValue(BRIEF.proof)
  await page.getByRole('link', { name: 'Templates' }).click()
  await expect.poll(() => location.pathname).toBe('/outreach/templates')
})

test('an earlier version is used again, as a new one', async () => {
  const api = briefApi(NEWER, BRIEF)
  openPage('/outreach/about-you')
  const versions = page.getByRole('list', { name: 'Earlier versions' }).getByRole('listitem')
  await expect.element(versions).toHaveLength(1)
  await expect.element(example).toMatchTextContent('We plant terraces.')
  await expectSound()
  await versions.getByRole('button', { name: /^Use this again/ }).click()
  await expect.element(field('What you offer')).toHaveValue(BRIEF.offer)
  await expect.element(versions).toHaveLength(2)
  expect(api.calls(briefs.save).map(({ body }) => body?.offer)).toEqual([BRIEF.offer])
})
