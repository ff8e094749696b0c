import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import { MAIL_PAUSED, MAIL_WAITS } from '#contract/operations/leaving.ts'
import { followUps, type UpcomingFollowUp } from '#contract/outreach/follow-ups.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const OVERVIEW = {
  enabled: true,
  time_zone: 'Europe/Berlin',
  daily_hour: 9,
  max_days: 14,
  next_run_at: '2027-03-09T08:00:00Z',
  stopped: null,
}
const upcoming = (id: number, name: string): UpcomingFollowUp => ({
  contact_id: id,
  name,
  email: `p${id}@corp.example`,
  number: 1,
  at: '2027-03-11T08:00:00Z',
  waits: null,
  subject: 'An offer for the spring',
  last_mail_at: '2027-03-08T08:00:00Z',
  skipped: false,
})
const ALL = [upcoming(1, 'Bea Quiet'), upcoming(2, 'Cem Quiet'), upcoming(3, 'Dora Quiet')]

const region = (name: string) => page.getByRole('region', { name, exact: true })
const next = region('Who is next').getByRole('listitem')
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** A server that keeps what is chosen for contacts. */
function followUpsApi(): FakeApi {
  let choices = new Map<number, string>()
  const isNever = ({ contact_id: id }: UpcomingFollowUp) => choices.get(id) === 'never'
  return fakeApi()
    .answers(followUps.get, OVERVIEW)
    .answers(followUps.counts, () => ({
      upcoming: ALL.filter((each) => !isNever(each)).length,
      left_out: [
        { reason: 'never_mailed' as const, contacts: 1 },
        ...(ALL.some(isNever) ? [{ reason: 'never' as const, contacts: 1 }] : []),
      ],
      counted_at: new Date().toISOString(),
    }))
    .answers(followUps.upcoming, () =>
      ALL.filter((each) => !isNever(each)).map((each) => ({
        ...each,
        skipped: choices.get(each.contact_id) === 'skip',
      })),
    )
    .answers(followUps.leftOut, ({ query }) =>
      query.reason === 'never'
        ? ALL.filter(isNever)
        : [{ contact_id: 9, name: 'Nora New', email: 'new@corp.example' }],
    )
    .answers(followUps.days)
    .answers(followUps.choose, ({ params, body }) => {
      choices = new Map(choices).set(Number(params['id']), body.choice)
      return OVERVIEW
    })
    .answers(automaticMail.accounts)
    .answers(mailboxes.get)
    .answers(briefs.get)
}

test('one follow-up is skipped, all are stopped, and both are taken back', async () => {
  const api = followUpsApi()
  openPage('/outreach/follow-ups')
  await expect.element(next).toHaveLength(3)
  await expect.element(next.first()).toMatchTextContent(/Bea Quiet.*Follow-up 1.*Thu,? 11 Mar( 2027)?, 09:00/)
  await button('Skip Bea Quiet').click()
  await expect.element(toast('The next follow-up to Bea Quiet is skipped')).toBeVisible()
  const bea = next.filter({ hasText: 'Bea' })
  await expect.element(bea).toMatchTextContent('One is skipped')
  await button('Undo skip of Bea Quiet').click()
  await expect.element(bea).not.toMatchTextContent('One is skipped')

  await button('More actions for Cem Quiet').click()
  await page.getByRole('menuitem', { name: 'Never follow up' }).click()
  await expect.element(next).toHaveLength(2)
  const others = region('Why not the others')
  await others.getByRole('button', { name: 'You chose never to follow up' }).click()
  await expect.element(others.getByRole('link', { name: 'Cem Quiet' })).toBeVisible()
  await others.getByRole('button', { name: 'You have not written to them yet' }).click()
  await expect.element(others.getByRole('link', { name: 'Nora New' })).toBeVisible()
  await expectSound()
  await button('Follow up again: Cem Quiet').click()
  await expect.element(next).toHaveLength(3)
  expect(api.calls(followUps.choose).map(({ params, body }) => `${params['id']} ${body.choice}`)).toEqual([
    '1 skip',
    '1 usual',
    '2 never',
    '2 usual',
  ])
})

test('while all mail is paused, no time is told, and what they wait for', async () => {
  followUpsApi()
    .answers(followUps.get, { ...OVERVIEW, next_run_at: null, stopped: MAIL_PAUSED })
    .answers(
      followUps.upcoming,
      ALL.map((each) => ({ ...each, at: null, waits: MAIL_WAITS })),
    )
  openPage('/outreach/follow-ups')
  await expect
    .element(region('Automatic follow-ups'))
    .toMatchTextContent(/Nobody is written to\. 3 contacts would be\..*Press “Resume mail” first\./)
  await expect.element(next.first()).toMatchTextContent(new RegExp(`Bea Quiet.*${MAIL_WAITS}`))
  await expectSound()
})

test('while they are off, it is said how many there would be, and where they are switched on', async () => {
  followUpsApi().answers(followUps.get, { ...OVERVIEW, enabled: false, next_run_at: null })
  openPage('/outreach/follow-ups')
  const card = region('Automatic follow-ups')
  await expect.element(card).toMatchTextContent('Nobody is written to. 3 contacts would be.')
  await expect
    .element(card.getByRole('link', { name: 'Switch on in your profile' }))
    .toHaveAttribute('href', expect.stringMatching(/^\/profile/))
  await expect.element(region('What has been sent')).toMatchTextContent('Nothing yet')
})
