import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { heldMails } from '#contract/mail/held-mail.ts'
import { tags } from '#contract/crm/tags.ts'
import { leaving, MAIL_WAITS } from '#contract/operations/leaving.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import {
  automaticMail,
  type AutomaticMailAccount,
  automaticMailAccount,
  SAME_HOUR,
  type SendingHours as Hours,
  type UpcomingMail,
} from '#contract/outreach/automatic-mail.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import { batch, outreach } from '#contract/outreach/runs.ts'
import {
  type Sequence,
  sequence,
  SEQUENCE_DEFAULTS,
  sequences,
  sequenceSummary,
} from '#contract/outreach/sequences.ts'
import { templates } from '#contract/outreach/templates.ts'
import { blank, blankReply } from '../../../tests/support/blank-reply.ts'
import { openPage, show, toast } from '../../../tests/support/component-page.tsx'
import { dashboardApi } from '../../../tests/support/dashboard-api.ts'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { AutomaticMail } from './AutomaticMail.tsx'
import { SendingHours } from './SendingHours.tsx'
import { UpcomingTab } from './UpcomingTab.tsx'
import { WarmUp } from './WarmUp.tsx'

const ADDRESS = 'ada@muster.example'
const GOING = blank(automaticMailAccount, { id: 3, address: ADDRESS, default: true })
const REASON = 'Of the last 240 automatic emails from this address, 14 came back.'
const STOPPED: AutomaticMailAccount = {
  ...GOING,
  stopped: { since: '2027-03-01T08:00:00Z', mails: 240, bounces: 14, complaints: 0, reason: REASON },
}
const TOLD = `Automatic emails from ${ADDRESS} stand still. ${REASON}`
const BREAD: Sequence = blank(sequence, { ...SEQUENCE_DEFAULTS, id: 4, name: 'Bread', state: 'running' })

const notice = page.getByRole('note', { name: `Automatic emails from ${ADDRESS} stand still` })
const goOn = page.getByRole('button', { name: 'Go on', exact: true })

/** A server with one account, whose automatic emails go on when they are told to. */
function accountApi(account: AutomaticMailAccount, api = dashboardApi()): FakeApi {
  let now = account
  return api
    .answers(automaticMail.accounts, () => [now])
    .answers(automaticMail.goOn, () => (now = GOING))
    .answers(automaticMail.saveAccount, ({ body }) => {
      const warm = body.warm_up
      return (now = { ...now, warm_up: warm, ceiling: warm ? 20 : null })
    })
}

test('sending hours are proposed, may go over midnight, and are switched off', async () => {
  let kept: Hours = {
    limited: false,
    days: [1, 2, 3, 4, 5],
    from_hour: 8,
    until_hour: 18,
    time_zone: 'Europe/Berlin',
  }
  const api = fakeApi()
    .answers(automaticMail.hours, () => kept)
    .answers(automaticMail.saveHours, ({ body }) => (kept = { ...body, time_zone: 'Europe/Berlin' }))
  show(<SendingHours />)
  const card = page.getByRole('region', { name: 'Sending Hours' })
  const switched = card.getByRole('switch', { name: /^Send automatic emails only at certain hours/ })
  await expect.element(card.getByText('Off', { exact: true })).toBeVisible()
  await switched.click()
  // The usual hours are proposed.
  for (const name of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])
    await expect.element(card.getByRole('checkbox', { name })).toBeChecked()
  await expect.element(card.getByRole('checkbox', { name: 'Saturday' })).not.toBeChecked()
  const [from, until] = [
    card.getByRole('combobox', { name: 'From' }),
    card.getByRole('combobox', { name: 'Until' }),
  ]
  await expect.element(from).toHaveValue('8')
  await expect.element(until).toHaveAccessibleDescription('In your time zone, Europe/Berlin.')
  const save = card.getByRole('button', { name: 'Save sending hours' })
  await from.selectOptions('18:00')
  await expect.element(card.getByRole('alert')).toMatchTextContent(SAME_HOUR)
  await expect.element(save).toBeDisabled()
  // Over midnight: the hours end on the next day.
  await from.selectOptions('22:00')
  await until.selectOptions('06:00 next day')
  await expect.element(card).toMatchTextContent('They leave 22:00 to 06:00 of the next day.')
  await card.getByRole('checkbox', { name: 'Friday' }).click()
  await save.click()
  await expect.element(toast('Sending hours saved')).toBeVisible()
  await expect.element(card.getByText('On', { exact: true })).toBeVisible()
  await expectSound('section')
  await switched.click()
  await save.click()
  await expect.element(card.getByText('Off', { exact: true })).toBeVisible()
  const night = { days: [1, 2, 3, 4], from_hour: 22, until_hour: 6 }
  expect(api.calls(automaticMail.saveHours).map(({ body }) => body)).toEqual([
    { limited: true, ...night },
    { limited: false, ...night },
  ])
})

test('an address is warmed up, and shows how much it may send today', async () => {
  const api = accountApi(GOING)
  show(<WarmUp id={GOING.id} />)
  const switched = page.getByRole('switch', { name: /^Warm up this address/ })
  await expect.element(switched).not.toBeChecked()
  await switched.click()
  await expect.element(page.getByText('Today: 0 of 20 automatic emails.')).toBeVisible()
  await expect.element(switched).toBeChecked()
  await switched.click()
  await expect.element(page.getByText('Today:')).not.toBeInTheDocument()
  expect(api.calls(automaticMail.saveAccount).map(({ body }) => body)).toEqual([
    { warm_up: true },
    { warm_up: false },
  ])
})

test('the account itself lets automatic emails go on', async () => {
  accountApi(STOPPED)
  show(<WarmUp id={GOING.id} />)
  await expect.element(notice).toMatchTextContent(TOLD)
  await goOn.click()
  await expect.element(toast('Automatic emails go on')).toBeVisible()
  await expect.element(notice).not.toBeInTheDocument()
})

test('an account that stands still is seen on the dashboard, with the run that waits for it', async () => {
  const waits = { kind: 'stopped', until: null, mailbox_id: GOING.id } as const
  const summary = { total: 2, sent: 0, errors: 0, skipped: 0, warnings: 0, pending: 2, unwritten: 2 }
  accountApi(STOPPED).answers(
    outreach.current,
    blank(batch, { batch_id: 7, state: 'running', waits, summary }),
  )
  openPage('/dashboard')
  await expect.element(notice).toMatchTextContent(TOLD)
  await expect
    .element(page.getByRole('region', { name: 'Sending to 2 contacts' }))
    .toMatchTextContent('It waits until the automatic emails go on.')
  await expectSound()
  await goOn.click()
  await expect.element(notice).not.toBeInTheDocument()
})

/** A server for all tabs of outreach, with one sequence that runs. */
const outreachApi = (account: AutomaticMailAccount): FakeApi =>
  accountApi(account, fakeApi())
    .answers(sequences.list, [blank(sequenceSummary, { id: 4, name: 'Bread', state: 'running' })])
    .answers(sequences.get, BREAD)
    .answers(sequences.figures)
    .answers(mailboxes.get)
    .answers(mailboxes.accounts)
    .answers(briefs.get)
    .answers(templates.list)
    .answers(templates.house)
    .answers(templates.values)

test('outreach says how many automatic emails left today, and how a new address is spared', async () => {
  const api = outreachApi(GOING)
  openPage('/outreach')
  const today = page.getByRole('region', { name: 'Automatic emails today' })
  await expect.element(today).toMatchTextContent('No automatic emails today')
  api.answers(automaticMail.accounts, [{ ...GOING, sent_today: 1 }])
  api.tells({ topic: 'outreach' })
  await expect.element(today).toMatchTextContent('1 automatic email today')
  api.answers(automaticMail.accounts, [{ ...GOING, sent_today: 1, warm_up: true, ceiling: 20 }])
  api.tells({ topic: 'outreach' })
  await expect.element(today).toMatchTextContent('1 of 20 automatic emails today · Warming up')
})

test('an account that stands still is seen on the tabs of outreach and on the page of its sequence', async () => {
  outreachApi(STOPPED)
  openPage('/outreach')
  await expect.element(page.getByRole('row').filter({ hasText: 'Bread' })).toMatchTextContent('Stands still')
  await expect.element(notice).toMatchTextContent(TOLD)
  await expectSound()
  await page.getByRole('link', { name: 'Templates', exact: true }).click()
  await expect.poll(() => location.pathname).toBe('/outreach/templates')
  await expect.element(notice).toMatchTextContent(TOLD)
  await page.getByRole('link', { name: 'Sequences', exact: true }).click()
  await page.getByRole('link', { name: 'Bread' }).click()
  await expect
    .element(notice)
    .toMatchTextContent(`This sequence stands still, like all automatic emails from ${ADDRESS}. ${REASON}`)
  await goOn.click()
  await expect.element(toast('Automatic emails go on')).toBeVisible()
  await expect.element(notice).not.toBeInTheDocument()
})

test('while all mail is paused, a sequence that is running tells no time', async () => {
  const now = { next_at: null, members: { active: 2, paused: 0, done: 0, stopped: 0 } }
  outreachApi(GOING)
    .answers(leaving.mailPause, { paused_at: '2027-03-01T08:00:00Z', waiting: 0 })
    .answers(heldMails.list, null)
    .answers(sequences.list, [blank(sequenceSummary, { id: 4, name: 'Bread', state: 'running', ...now })])
    .answers(sequences.get, { ...BREAD, ...now })
    .answers(sequences.members)
    .answers(sequences.check, { ready: true, problems: [] })
    .answers(sequences.forecast, {
      ...blankReply(sequences.forecast),
      days: [{ day: '2027-03-02', mails: 2 }],
      mails: 2,
      last_at: '2027-03-02T08:00:00Z',
      complete: true,
    })
    .answers(tags.list)
  openPage('/outreach')
  await expect.element(page.getByRole('row').filter({ hasText: 'Bread' })).toMatchTextContent(MAIL_WAITS)
  await expectSound()
  await page.getByRole('link', { name: 'Bread' }).click()
  await expect.element(page.getByRole('region', { name: 'Key figures' })).toMatchTextContent(MAIL_WAITS)
  await expect
    .element(page.getByRole('figure', { name: 'Forecast' }))
    .toMatchTextContent(`2 March, if it goes on now and nobody replies. ${MAIL_WAITS}.`)
})

test('a contact says what was sent, why there is none now, and what is next', async () => {
  fakeApi().answers(automaticMail.ofContact, {
    ...blankReply(automaticMail.ofContact),
    why_none: [{ kind: 'hours', sentence: 'It is outside your sending hours.', until: null }],
    next: { sentence: 'Your current run emails them.', at: '2027-03-08T07:00:00Z' },
  })
  show(<AutomaticMail id={7} name="Kim" />)
  const card = page.getByRole('region', { name: 'Automatic Emails' })
  await expect.element(card).toMatchTextContent('Howl has sent Kim nothing by itself so far.')
  await expect.element(card).toMatchTextContent('It is outside your sending hours.')
  await expect.element(card).toMatchTextContent('08:00: Your current run emails them.')
  await expectSound('section')
})

const upcomingMail = (number: number, change: Partial<UpcomingMail> = {}): UpcomingMail => ({
  id: `follow-up ${number}`,
  source: 'follow_up',
  of: null,
  contact_id: number,
  name: `Person ${number}`,
  email: `p${number}@corp.example`,
  sentence: 'Follow-up 1 of 3 goes out if they don’t answer.',
  at: '2027-03-08T08:00:00Z',
  waits: null,
  ...change,
})

test('what is upcoming says what, when and for whom, more on demand', async () => {
  const run = { source: 'run', contact_id: null, name: '812 contacts', email: '' } as const
  dashboardApi().answers(automaticMail.upcoming, [
    upcomingMail(1, { ...run, at: null, sentence: 'The rest of your current run.' }),
    upcomingMail(2, { source: 'payment_reminder', of: 7, contact_id: null, name: '' }),
    upcomingMail(3, { at: null, waits: MAIL_WAITS }),
    ...Array.from({ length: 197 }, (_, index) => upcomingMail(index + 4)),
  ])
  show(<UpcomingTab />)
  const rows = page.getByRole('list', { name: 'Upcoming' }).getByRole('listitem')
  await expect.element(rows.first()).toMatchTextContent('812 contacts')
  await expect.element(rows.first()).toMatchTextContent('As soon as possible')
  await expect.element(rows.nth(1)).toMatchTextContent('p2@corp.example')
  await expect.element(rows.nth(1).getByRole('link')).toHaveAttribute('href', '/invoices/7')
  await expect.element(rows.nth(2)).toMatchTextContent(MAIL_WAITS)
  await expectSound('section')
  await expect.poll(() => rows.all().length).toBe(25)
  const more = page.getByRole('button', { name: 'Show more' })
  for (const shown of [50, 100, 200]) {
    await more.click()
    await expect.poll(() => rows.all().length).toBe(shown)
  }
  await expect.element(page.getByText('Only the next 200 are shown.')).toBeVisible()
  await expect.element(more).not.toBeInTheDocument()
})
