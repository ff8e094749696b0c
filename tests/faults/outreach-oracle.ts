import { Temporal } from 'temporal-polyfill'
import { vi } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { startDelivering } from '#server/mail/emails/delivery/delivery-loop.ts'
import { goOnSending } from '#server/outreach/automatic-mail/accounts.ts'
import { planFollowUps } from '#server/outreach/follow-ups/plan-follow-ups.ts'
import { runDays } from '#server/outreach/follow-ups/run-day.ts'
import { pauseSequence, startSequence } from '#server/outreach/sequences/hold-sequence.ts'
import { runDue } from '#server/outreach/sequences/run-due.ts'
import { takeWork } from '#server/outreach/sequences/take-work.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../support/client.ts'
import { seeded } from '../support/seeded.ts'
import { mail, wait } from '../support/sequence-days.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { movableClock, startTestApp } from '../support/test-app.ts'
import { connectWriter, header, receive, sendAs } from '../support/writing.ts'

// A second opinion on who is written to when. Hour by hour of nine days this file decides from the rules alone, contact by contact,
// whom Howl must try to write to and whom not, and compares that with what the mail server sees.

const ZONE = 'Europe/Berlin'
const DAYS = 9
/** The hours that are looked at: those of the day, and midnight. The first day begins at ten. */
const LOOKS = Array.from({ length: DAYS * 24 }, (_, hour) => hour).filter(
  (hour) => hour >= 10 && (hour % 24 === 0 || (hour % 24 >= 8 && hour % 24 <= 20)),
)
/** The user's hours, and those of the first sequence, which rests at the weekend. */
const USERS_HOURS = { from: 8, until: 20 }
const WORKING = { from: 9, until: 17 }
const FOLLOW_UP_HOUR = 9
const SILENT_DAYS = 3

const NAMES = ['First', 'Second'] as const
type Sequence = (typeof NAMES)[number]
/** Hours between the two mails of each. */
const WAITS: Readonly<Record<Sequence, number>> = { First: 24, Second: 48 }
const EVENTS = ['reply', 'unsubscribe', 'delete', 'meeting'] as const

type Member = { mails: number; due: number }
type Person = {
  id: number
  email: string
  /** When they come into the sequences, and what happens to them when. */
  enters: Partial<Record<Sequence, number>>
  event: { kind: (typeof EVENTS)[number]; at: number } | null
  byHand: boolean
  /** How many tries the far server refuses. */
  refuses: number
  // What has become of it.
  isOut: boolean
  members: Partial<Record<Sequence, Member>>
  followUps: number
  lastMail: { day: number; ofSequence: boolean } | null
  /** The day on which an automatic mail was tried or sent. */
  takenDay: number
  /** A mail that the far server has put off. */
  open: 'First' | 'Second' | 'follow-up' | null
}

/** From one hour to another. */
type Span = { from: number; until: number }

/** Lives through random days of so many contacts; returns each hour and contact in which Howl and the rules differ. */
export async function compareWithRules(
  seed: number,
  people: number,
): Promise<{ wrong: string[]; tries: number }> {
  const clock = movableClock()
  clock.stand()
  const begin = Temporal.PlainDate.from('2031-01-13').toZonedDateTime(ZONE)
  const goTo = (hour: number) =>
    clock.forward(begin.add({ hours: hour }).epochMilliseconds - clock.now().getTime())
  goTo(0)
  const app = await startTestApp({ clock, loops: startDelivering })
  const sink = await startSmtpSink()
  try {
    const random = seeded(seed)
    const upTo = (max: number) => Math.floor(random() * max)
    const look = (from: number, toEnd: number) => LOOKS[from + upTo(LOOKS.length - from - toEnd)] ?? 0
    const span = (): Span => {
      const from = 15 + upTo(LOOKS.length - 60)
      return { from: LOOKS[from] ?? 0, until: LOOKS[from + 1 + upTo(20)] ?? 0 }
    }
    const paused = span()
    const stopped = span()
    const held: Record<Sequence, Span> = { First: span(), Second: span() }
    const user = await connectWriter(app, sink)
    const sql = async (text: string, values: readonly unknown[] = []) =>
      (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]
    await sql('UPDATE users SET time_zone = $2 WHERE id = $1', [user.id, ZONE])
    await sql(`INSERT INTO sending_rules VALUES ($1, '{1,2,3,4,5,6,7}', $2, $3)`, [
      user.id,
      USERS_HOURS.from,
      USERS_HOURS.until,
    ])
    // A session ends as the clock moves on.
    let loggedInAt = 0
    const logIn = async () => {
      const now = clock.now().getTime()
      if (now - loggedInAt < 6 * 3_600_000) return { token: user.token }
      loggedInAt = now
      const { email, password } = user
      user.token = (await call(app.url, auth.login, { body: { email, password } })).body.token
      return { token: user.token }
    }
    const settings = { auto_followup_enabled: true, auto_followup_daily_hour: FOLLOW_UP_HOUR }
    await call(app.url, mailboxSetup.save, { ...(await logIn()), body: settings })
    const ids: Record<Sequence, number> = { First: 0, Second: 0 }
    for (const name of NAMES) {
      const days = name === 'First' ? [1, 2, 3, 4, 5] : [1, 2, 3, 4, 5, 6, 7]
      const { from, until: end } = name === 'First' ? WORKING : { from: 0, until: 24 }
      const steps = [mail(1, name), wait(2, WAITS[name], 'hours'), mail(3, name)]
      const body = { name, steps, hours: { days, from_hour: from, until_hour: end } }
      ids[name] = (await call(app.url, sequences.add, { ...(await logIn()), body })).body.id
      await startSequence(app.context, user.id, ids[name])
    }
    const rows = await sql(
      `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
       SELECT $1, 'Person ' || n, 'p' || n || '@customer.example', 'p' || n || '@customer.example', $2, $2
       FROM generate_series(1, $3::int) AS n RETURNING id, email`,
      [user.id, clock.now(), people],
    )
    const all = rows.map((row): Person => {
      const isBoth = random() < 0.2
      const enters: Person['enters'] = {}
      for (const name of NAMES) if (isBoth || random() < 0.4) enters[name] = look(1, 40)
      const byHand = random() < 0.2
      const isAlone = Object.keys(enters).length + Number(byHand) < 2
      return {
        id: Number(row['id']),
        email: String(row['email']),
        enters,
        event: random() < 0.5 ? { kind: EVENTS[upTo(EVENTS.length)] ?? 'reply', at: look(2, 0) } : null,
        byHand,
        refuses: isAlone && random() < 0.4 ? 1 + upTo(2) : 0,
        isOut: false,
        members: {},
        followUps: 0,
        lastMail: null,
        takenDay: -1,
        open: null,
      }
    })
    const byAddress = new Map(all.map((person) => [person.email, person]))
    let tried: string[] = []
    sink.setScript(({ step, address = '' }) => {
      if (step !== 'rcpt') return undefined
      tried.push(address)
      const person = byAddress.get(address)
      if (person === undefined || person.refuses === 0) return undefined
      person.refuses -= 1
      // Each in words of its own: the same words again and again would be about the whole account.
      const name = String(person.id).replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '')
      return { reply: `451 4.7.1 Not for ${name} now` }
    })
    const wrong: string[] = []
    let tries = 0
    let followUpDay = -1
    for (const hour of LOOKS) {
      goTo(hour)
      sink.clear()
      if (hour === LOOKS[0]) {
        const byHand = all.filter((person) => person.byHand)
        for (const { email, refuses } of byHand) {
          const person = byAddress.get(email)
          if (person !== undefined)
            Object.assign(person, { refuses: 0, lastMail: { day: 0, ofSequence: false } })
          await sendAs(app, user, { to: email, subject: 'By hand' })
          if (person !== undefined) person.refuses = refuses
        }
        sink.clear()
      }
      tried = []
      // What happens to all.
      const now = clock.now()
      if (hour === paused.from)
        await sql('UPDATE users SET mail_paused_at = $2 WHERE id = $1', [user.id, now])
      if (hour === paused.until) await sql('UPDATE users SET mail_paused_at = NULL WHERE id = $1', [user.id])
      const [account] = await sql('SELECT id FROM mailboxes WHERE user_id = $1', [user.id])
      if (hour === stopped.from)
        await sql(
          `INSERT INTO automatic_mail_stops (user_id, mailbox_id, stopped_at, mails, bounces, complaints)
           VALUES ($1, $2, $3, 240, 14, 0)`,
          [user.id, account?.['id'], now],
        )
      if (hour === stopped.until) await goOnSending(app.context, user.id, Number(account?.['id']))
      for (const name of NAMES) {
        if (hour === held[name].from) await pauseSequence(app.context, user.id, ids[name])
        if (hour === held[name].until) await startSequence(app.context, user.id, ids[name])
      }
      // What happens to some. Mail that was due since the last look may be tried first: that is no mail after it.
      const early = new Set<string>()
      for (const person of all) {
        const { event, id, email } = person
        if (event?.at !== hour || person.isOut) continue
        if (event.kind === 'reply' && person.lastMail === null) continue
        person.isOut = true
        if (event.kind === 'delete')
          await call(app.url, contacts.remove, { ...(await logIn()), params: { id } })
        if (event.kind === 'unsubscribe')
          await sql(
            `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, $2, 'unsubscribed', $3)`,
            [user.id, email, now],
          )
        if (event.kind === 'meeting') {
          const start = new Date(now.getTime() + 40 * 86_400_000).toISOString()
          const end = new Date(now.getTime() + 40 * 86_400_000 + 3_600_000).toISOString()
          const body = {
            title: 'Coffee',
            start_time: start,
            end_time: end,
            type: 'phone' as const,
            attendees: [email],
          }
          await call(app.url, meetings.add, { ...(await logIn()), body })
        }
        if (event.kind === 'reply') {
          await logIn()
          await receive(
            app,
            user,
            `From: Them <${email}>\nTo: ada@muster.example\nSubject: Re: Hello\nMessage-ID: <${hour}${email}>\nDate: ${now.toUTCString()}\n\nYes, tell me more.\n`,
          )
        }
        if (tried.includes(email)) early.add(email)
      }
      for (const name of NAMES) {
        const entering = all.filter((person) => person.enters[name] === hour && !person.isOut)
        for (const person of entering) person.members[name] = { mails: 0, due: hour }
        if (entering.length === 0) continue
        const body = { ids: entering.map(({ id }) => id), on_warning: 'add' as const }
        await call(app.url, sequences.enrol, { ...(await logIn()), params: { id: ids[name] }, body })
      }
      await settled()

      // Whom the rules let Howl write to in this hour.
      const day = Math.floor(hour / 24)
      const clockHour = hour % 24
      const weekday = (day % 7) + 1
      const isIn = ({ from, until: end }: Span, at = hour) => at >= from && at < end
      const isBlocked = isIn(paused) || isIn(stopped) || !isIn(USERS_HOURS, clockHour)
      const daysFollowUps =
        followUpDay < day && clockHour >= FOLLOW_UP_HOUR && !isIn(paused) && isIn(USERS_HOURS, clockHour)
      if (daysFollowUps) followUpDay = day
      const mayFor = (person: Person, name: Sequence): boolean => {
        const member = person.members[name]
        if (member === undefined || member.mails >= 2 || member.due > hour || isIn(held[name])) return false
        return name === 'Second' || (weekday <= 5 && isIn(WORKING, clockHour))
      }
      const isUnderWay = (person: Person) =>
        NAMES.some((name) => person.members[name] !== undefined && (person.members[name]?.mails ?? 2) < 2)
      const mayFollow = (person: Person): boolean => {
        if (person.open === 'follow-up') return true
        const { lastMail, followUps } = person
        if (!daysFollowUps || lastMail === null || lastMail.ofSequence || isUnderWay(person)) return false
        return followUps < 3 && lastMail.day + SILENT_DAYS <= day
      }
      const subjects = new Map(
        sink.received.map((each) => [each.envelope.to[0] ?? '', header(each, 'Subject') ?? '']),
      )
      for (const person of all) {
        const { email } = person
        if (early.has(email)) continue
        const candidates =
          isBlocked || person.isOut
            ? []
            : [
                ...NAMES.filter((name) => mayFor(person, name)),
                ...(mayFollow(person) ? ['follow-up' as const] : []),
              ]
        const isFree = person.takenDay !== day || person.open !== null
        const expected = candidates.length > 0 && isFree ? 1 : 0
        const seen = tried.filter((address) => address === email).length
        tries += seen
        const subject = subjects.get(email)
        const source =
          subject === undefined
            ? candidates[0]
            : subject.startsWith('Re: ')
              ? 'follow-up'
              : (subject as Sequence)
        if (seen !== expected || (seen === 1 && (source === undefined || !candidates.includes(source))))
          wrong.push(
            `day ${day} ${clockHour}:00 ${email}: ${seen} tries (${subject ?? 'none left'}), expected ${expected} of ${candidates.join('/')} ${JSON.stringify(person)}`,
          )
        if (seen === 0 || source === undefined) {
          // What a stopped account had to send is written again; a follow-up is chosen again on another day.
          if (person.open === 'follow-up' && (isIn(stopped) || person.takenDay !== day)) person.open = null
          continue
        }
        person.takenDay = day
        person.open = subject === undefined ? source : null
        if (subject === undefined) continue
        person.lastMail = { day, ofSequence: source !== 'follow-up' }
        if (source === 'follow-up') person.followUps += 1
        else {
          const member = person.members[source]
          if (member !== undefined)
            Object.assign(member, { mails: member.mails + 1, due: hour + WAITS[source] })
        }
      }
    }
    return { wrong, tries }

    /** The engine has done all that is due in this hour, and each mail that may leave has been tried. */
    async function settled(): Promise<void> {
      const { context } = app
      const look = async () => {
        await takeWork(context)
        await runDue(context)
        await planFollowUps(context)
        await runDays(context)
        const [open] = await sql(
          `SELECT (SELECT count(*) FROM sequence_work WHERE user_id = $1)::int AS work,
            (SELECT count(*) FROM sequence_members WHERE user_id = $1 AND is_open AND due_at <= $2)::int AS due,
            (SELECT count(*) FROM deliveries d JOIN users u ON u.id = d.user_id
              WHERE d.user_id = $1 AND u.mail_paused_at IS NULL AND (d.queue = 'due' AND d.next_try_at <= $2
                AND d.state IN ('queued', 'deferred') OR d.state IN ('claimed', 'committed')
                OR d.state = 'sent' AND d.queue IS NOT NULL))::int AS unsent`,
          [user.id, clock.now()],
        )
        const isPaused =
          (await sql('SELECT FROM users WHERE id = $1 AND mail_paused_at IS NOT NULL', [user.id])).length > 0
        const { work, due, unsent } = open as { work: number; due: number; unsent: number }
        if (work + unsent + (isPaused ? 0 : due) > 0) throw new Error(`not settled: ${JSON.stringify(open)}`)
      }
      await vi.waitFor(look, { timeout: 60_000, interval: 10 })
    }
  } finally {
    await app.end()
    await sink.stop()
  }
}
