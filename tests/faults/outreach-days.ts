import { setTimeout as pause } from 'node:timers/promises'
import { Temporal } from 'temporal-polyfill'
import { expect } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { sequences, type SequenceStep } from '#contract/outreach/sequences.ts'
import { templates } from '#contract/outreach/templates.ts'
import { tags } from '#contract/crm/tags.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../support/client.ts'
import type { TestUser } from '../support/factories.ts'
import { testMail } from '../support/mail-servers.ts'
import { seeded } from '../support/seeded.ts'
import type { SinkMail, SmtpSink } from '../support/smtp-sink.ts'
import type { TestApp } from '../support/test-app.ts'
import { connectWriter, header, receive, sendAs } from '../support/writing.ts'
import { CLOCK_STEP_MS, type Kills } from './outreach-kills.ts'
import { type ForecastOutcome, OutreachForecasts } from './outreach-forecasts.ts'

// Virtual days of one user's sequences and follow-ups: mail goes to a real SMTP server, answers, bounces and unsubscribing
// come in by the same doors as always, and what is promised is judged by what the server received.

/** When the clock stands and the workers look, in the user's zone. */
const LOOKS = ['07:40', '09:00', '10:00', '11:20', '14:00', '16:50', '20:10']
const PATIENCE_MS = 60_000
const SLOW_MS = 20
const STANDS_MS = 3000
/** The subject of what the user writes; a follow-up answers it. */
const BY_HAND = 'An offer'
const VIP = 'VIP'
const CHAIN_DAYS = 6
const VIP_EVERY = 10
/** The user's own hours: Monday to Saturday. */
const USER_HOURS = { days: [1, 2, 3, 4, 5, 6], from_hour: 8, until_hour: 18 }
const SEQUENCE_HOURS = [
  { days: [1, 2, 3, 4, 5], from_hour: 9, until_hour: 17 },
  { days: [1, 2, 3, 4, 5, 6, 7], from_hour: 0, until_hour: 24 },
  { days: [2, 3, 4, 6], from_hour: 8, until_hour: 12 },
]

/** How often what happens, over all days. */
export type Disturbances = {
  replies: number
  /** Addresses that the server refuses, and addresses whose mail comes back later. */
  refused: number
  returned: number
  unsubscribed: number
  meetings: number
  deleted: number
  /** Members that the user holds for some days. */
  held: number
  /** Contacts whose address is corrected, and taggings that are undone at once. */
  moved: number
  undone: number
}

export type OutreachPlan = {
  seed: number
  zone: string
  /** The first day, a Monday. */
  begin: string
  days: number
  contacts: number
  sequences: number
  /** The last contacts are in no sequence: the user writes to them by hand, and follow-ups go to them. */
  byHand: number
  /** Contacts begin within these first days. */
  enrolDays: number
  disturbances: Disturbances
  /** Nothing is disturbed after this day. */
  lastDisturbed: number
  /** The last step of a sequence starts another one by a tag: places of both. */
  chains: readonly (readonly [number, number])[]
  /** A bulk run to so many of those who are in sequences. */
  run: { day: number; contacts: number }
  /** Another one begins in the evening, is paused at once, and is resumed two days later. */
  heldRun: { day: number; contacts: number }
  /** When all tags are renamed, and when the template of the first sequence is deleted for a day. */
  renamed: number
  withdrawn: number
  /** Days in whose morning it is foreseen what comes. */
  forecasts: readonly number[]
  /** How often a worker is killed. */
  kills: number
}

/** How the workers are told to look; resolves when they have looked once. */
export type Drive = () => Promise<void>

export type Contact = {
  id: number
  email: string
  /** Addresses that it had before. */
  left: string[]
  /** Why it may get no automatic mail any more, and since when. */
  stopped: string | null
  stoppedAt: Date | null
  received: Arrival[]
  /** The sequences that it was put into. */
  entered: number[]
  isVip: boolean
}
type Arrival = { at: Date; mail: SinkMail; messageId: string; sequence: number | null; step: number | null }
export type Sequence = {
  id: number
  place: number
  startsBy: string | null
  isPaused: boolean
  /** What its template is called and whether it is deleted; null: it has none. */
  template: { id: number; isGone: boolean } | null
}
type Event = { day: number; look: number; begins: boolean; run: () => Promise<void> }

/** The steps with mails that somebody silent gets: in some sequences a condition ends it for those with a tag. */
export const mailsFor = ({ isVip }: Contact, place: number): readonly number[] =>
  isVip && place % 4 === 1 ? [1] : [1, 3, 5]

/** What happened: figures to report, and every promise that was not kept. */
export type OutreachOutcome = {
  mails: number
  repeated: number
  broken: string[]
  forecasts: ForecastOutcome[]
  events: Record<string, number>
}

export class OutreachDays {
  readonly #app: TestApp
  readonly #sink: SmtpSink
  readonly #plan: OutreachPlan
  readonly #drive: Drive
  readonly #random: () => number
  readonly #contacts = new Map<string, Contact>()
  readonly #sequences: Sequence[] = []
  readonly #events: Event[] = []
  readonly #held = new Set<string>()
  /** By the addresses that contacts have now, or had. */
  readonly #byAddress = new Map<string, Contact>()
  /** Whom the run that is paused is to write to. */
  #waitingForRun = new Set<Contact>()
  readonly #refused = new Set<string>()
  readonly #tries = new Map<string, number>()
  readonly #outcome: OutreachOutcome = { mails: 0, repeated: 0, broken: [], forecasts: [], events: {} }
  readonly #forecasts: OutreachForecasts
  readonly #kills: Kills
  /** The server takes its time over each mail, so that a kill meets some on their way. */
  #isSlow = false
  #user!: TestUser
  #read = 0

  constructor(app: TestApp, sink: SmtpSink, plan: OutreachPlan, drive: Drive, kills: Kills) {
    this.#app = app
    this.#sink = sink
    this.#plan = plan
    this.#drive = drive
    this.#random = seeded(plan.seed)
    this.#kills = kills
    this.#forecasts = new OutreachForecasts(app, plan.zone)
  }

  async run(): Promise<OutreachOutcome> {
    await this.#prepare()
    const kills = this.#planKills()
    for (let day = 0; day < this.#plan.days; day++) {
      await this.#logIn()
      for (const [look, time] of LOOKS.entries()) {
        await this.#happen(day, look)
        if (kills.has(`${day} ${look}`)) await this.#killAt(day, time)
        this.#goTo(day, time)
        await this.#settle()
        this.#readSink()
        if (look === 0 && this.#plan.forecasts.includes(day))
          await this.#forecasts.foresee(this.#user, day, this.#sequences)
      }
    }
    this.#judgeTheEnd()
    this.#outcome.forecasts = this.#forecasts.compare(this.#byAddress, this.#refused)
    return this.#outcome
  }

  /**
   * What the user and the readers do before a look. The clock has not moved and nothing is due, so that no mail leaves while it
   * happens but to whoever comes in, and they come in last.
   */
  async #happen(day: number, look: number): Promise<void> {
    const now = this.#events.filter((event) => event.day === day && event.look === look)
    if (now.length === 0) return
    for (const event of now.toSorted((one, other) => Number(one.begins) - Number(other.begins)))
      await event.run()
    await this.#settle()
    this.#readSink()
  }

  /** Looks at which a worker is killed: most of them those in which most mails leave. */
  #planKills(): Set<string> {
    const looks = new Set<string>()
    while (looks.size < this.#plan.kills) {
      const day = 1 + Math.floor(this.#random() * this.#plan.lastDisturbed * 1.3)
      const { dayOfWeek } = Temporal.PlainDate.from(this.#plan.begin).add({ days: day })
      if (dayOfWeek < 6) looks.add(`${day} ${1 + Math.floor(this.#random() * 2)}`)
    }
    return looks
  }

  /** A worker alone begins with what is due at a time, and is killed in the middle. The others find what it left. */
  async #killAt(day: number, time: string): Promise<void> {
    this.#isSlow = true
    await this.#kills.kill(this.#momentOf(day, time))
    this.#isSlow = false
    this.#goTo(day, time)
    await this.#settle()
    this.#readSink()
    this.#count('kills')
  }

  /** A user with contacts, sequences and follow-ups, and what is going to happen. */
  async #prepare(): Promise<void> {
    const { zone, contacts: count, sequences: many } = this.#plan
    this.#goTo(0, '07:00')
    this.#sink.setScript(({ step, address }) => {
      if (step === 'dot' && this.#isSlow) return { waitMs: SLOW_MS }
      if (step !== 'rcpt' || address === undefined || !this.#refused.has(address)) return undefined
      this.#tries.set(address, (this.#tries.get(address) ?? 0) + 1)
      return { reply: '550 5.1.1 User unknown' }
    })
    this.#user = await connectWriter(this.#app, this.#sink)
    await this.#sql('UPDATE users SET time_zone = $2 WHERE id = $1', [this.#user.id, zone])
    this.#ok(
      await call(this.#app.url, automaticMail.saveHours, {
        ...this.#as,
        body: { limited: true, ...USER_HOURS },
      }),
    )
    const body = { auto_followup_enabled: true, auto_followup_daily_hour: 10 }
    this.#ok(await call(this.#app.url, mailboxSetup.save, { ...this.#as, body }))
    const rows = await this.#sql(
      `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
       SELECT $1, 'Person ' || n, 'person' || n || '@customer.example', 'person' || n || '@customer.example', $2, $2
       FROM generate_series(1, $3::int) AS n RETURNING id, email`,
      [this.#user.id, this.#app.clock.now(), count],
    )
    for (const row of rows) {
      const email = String(row['email'])
      this.#contacts.set(email, {
        id: Number(row['id']),
        email,
        left: [],
        stopped: null,
        stoppedAt: null,
        received: [],
        entered: [],
        isVip: this.#contacts.size % VIP_EVERY === VIP_EVERY - 1,
      })
    }
    for (const contact of this.#contacts.values()) this.#byAddress.set(contact.email, contact)
    const ids = [...this.#contacts.values()].flatMap(({ id, isVip }) => (isVip ? [id] : []))
    this.#ok(await call(this.#app.url, contacts.tagMany, { ...this.#as, body: { ids, tag: VIP } }))
    for (let place = 0; place < many; place++) await this.#addSequence(place)
    this.#planEntries()
    this.#planLetters()
    this.#planDisturbances()
    this.#planRun()
    this.#planHeldRun()
    this.#planRenaming()
    this.#planWithdrawal()
  }

  async #addSequence(place: number): Promise<void> {
    const startsBy = place % 3 === 2 ? `Group ${place}` : null
    const next = this.#plan.chains.find(([from]) => from === place)?.[1]
    const isNext = this.#plan.chains.some(([, to]) => to === place)
    const template = place === 0 ? await this.#addTemplate(mail(place, 3, true)) : null
    const steps: SequenceStep[] = [
      mail(place, 1, false),
      ...extraSteps(place),
      wait(2, 1 + (place % 3)),
      ...(place % 4 === 1 ? [ifTagged(8, VIP)] : []),
      { ...mail(place, 3, true), ...(template === null ? {} : { template_id: template.id, body: '' }) },
      wait(4, 2, place % 2 === 0 ? 'working_days' : 'days'),
      mail(place, 5, place % 2 === 0),
      ...(next === undefined ? [] : [tag(9, chainTag(next))]),
    ]
    const added = await call(this.#app.url, sequences.add, {
      ...this.#as,
      body: {
        name: `Sequence ${place}`,
        steps,
        hours: SEQUENCE_HOURS[place % SEQUENCE_HOURS.length],
        starts: [
          ...(startsBy === null ? [] : [{ on: 'tag' as const, tag: startsBy }]),
          ...(isNext ? [{ on: 'tag' as const, tag: chainTag(place) }] : []),
        ],
      },
    })
    this.#ok(added)
    const { id } = added.body
    this.#ok(await call(this.#app.url, sequences.start, { ...this.#as, params: { id } }))
    this.#sequences.push({ id, place, startsBy, isPaused: false, template })
  }

  async #addTemplate({ body }: { body: string }) {
    const added = await call(this.#app.url, templates.add, {
      ...this.#as,
      body: { name: 'Second letter', subject: 'Again', body },
    })
    this.#ok(added)
    return { id: added.body.id, isGone: false }
  }

  /** Each contact is put into one or two sequences, by hand or by a tag; the first tenth only into the first one. */
  #planEntries(): void {
    const all = [...this.#contacts.values()].slice(0, this.#plan.contacts - this.#plan.byHand)
    const groups = new Map<string, Contact[]>()
    for (const [index, contact] of all.entries()) {
      const alone = index < all.length / 10
      const many = alone ? 1 : 1 + Math.floor(this.#random() * 2)
      const places = new Set<number>(alone ? [0] : [])
      while (places.size < many) places.add(1 + Math.floor(this.#random() * (this.#sequences.length - 1)))
      for (const place of places) {
        // What starts others has to end in time for them.
        const isFirst = this.#plan.chains.some(([from]) => from === place)
        const days = isFirst ? Math.min(CHAIN_DAYS, this.#plan.enrolDays) : this.#plan.enrolDays
        const key = `${Math.floor(this.#random() * days)} ${this.#look()} ${place}`
        groups.set(key, [...(groups.get(key) ?? []), contact])
      }
    }
    for (const [key, group] of groups) {
      const [day = 0, look = 0, place = 0] = key.split(' ').map(Number)
      this.#events.push({ day, look, begins: true, run: () => this.#enter(this.#sequences[place], group) })
    }
  }

  async #enter(sequence: Sequence | undefined, group: readonly Contact[]): Promise<void> {
    const free = group.filter(({ stopped }) => stopped === null)
    if (sequence === undefined || free.length === 0) return
    const ids = free.map(({ id }) => id)
    if (sequence.startsBy === null)
      this.#ok(
        await call(this.#app.url, sequences.enrol, {
          ...this.#as,
          params: { id: sequence.id },
          body: { ids },
        }),
      )
    else
      this.#ok(
        await call(this.#app.url, contacts.tagMany, { ...this.#as, body: { ids, tag: sequence.startsBy } }),
      )
    for (const contact of free) contact.entered.push(sequence.place)
    this.#count(sequence.startsBy === null ? 'put in' : 'tagged', free.length)
  }

  /** The user writes to some contacts, who stay silent. */
  #planLetters(): void {
    const people = [...this.#contacts.values()].slice(-this.#plan.byHand)
    for (const { email } of people)
      this.#events.push({
        day: Math.floor(this.#random() * this.#plan.enrolDays),
        look: this.#look(),
        begins: true,
        run: async () => {
          if (this.#refused.has(email)) return
          this.#ok(await sendAs(this.#app, this.#user, { to: email, subject: BY_HAND }))
          this.#count('written by hand')
        },
      })
  }

  #planDisturbances(): void {
    const all = [...this.#contacts.values()].slice(Math.ceil(this.#plan.contacts / 10))
    // Who is held is let go on two days later.
    const anyDay = () => 1 + Math.floor(this.#random() * (this.#plan.lastDisturbed - 2))
    const {
      replies,
      refused,
      returned,
      unsubscribed,
      meetings: met,
      deleted,
      held,
      moved,
      undone,
    } = this.#plan.disturbances
    for (let n = 0; n < refused; n++) this.#refused.add(this.#take(all).email)
    const plan = (times: number, what: string, stop: (contact: Contact) => Promise<unknown>) => {
      for (let n = 0; n < times; n++) {
        const contact = this.#take(all)
        const run = async () => {
          if (contact.received.length === 0 && what !== 'deleted' && what !== 'meeting') return
          await stop(contact)
          contact.stopped = what
          contact.stoppedAt = this.#app.clock.now()
          this.#count(what)
        }
        this.#events.push({ day: anyDay(), look: this.#look(), begins: false, run })
      }
    }
    plan(replies, 'replied', (contact) => this.#reply(contact))
    plan(returned, 'returned', (contact) => this.#returns(contact))
    plan(unsubscribed, 'unsubscribed', (contact) => this.#unsubscribe(contact))
    plan(met, 'meeting', (contact) => this.#meet(contact))
    plan(deleted, 'deleted', async ({ id }) =>
      this.#ok(await call(this.#app.url, contacts.remove, { ...this.#as, params: { id } })),
    )
    for (let n = 0; n < held; n++) this.#planHold(this.#take(all), anyDay())
    for (let n = 0; n < moved; n++) this.#planMove(this.#take(all), anyDay())
    for (let n = 0; n < undone; n++) this.#planUndoneTagging(anyDay())
    // One whole sequence stands still for two days.
    const [, sequence] = this.#sequences
    if (sequence === undefined) return
    const params = { id: sequence.id }
    const tell = async (isPaused: boolean) => {
      const endpoint = isPaused ? sequences.pause : sequences.start
      this.#ok(await call(this.#app.url, endpoint, { ...this.#as, params }))
      sequence.isPaused = isPaused
    }
    this.#events.push(
      { day: 2, look: 1, begins: false, run: () => tell(true) },
      { day: 4, look: 3, begins: true, run: () => tell(false) },
    )
  }

  /** The user corrects an address: nothing goes to the old one any more. */
  #planMove(contact: Contact, day: number): void {
    const run = async () => {
      const old = contact.email
      if (this.#refused.has(old)) return
      contact.email = old.replace('@', '@new.')
      contact.left.push(old)
      this.#byAddress.set(contact.email, contact)
      const params = { id: contact.id }
      this.#ok(
        await call(this.#app.url, contacts.update, { ...this.#as, params, body: { email: contact.email } }),
      )
      this.#count('moved')
    }
    this.#events.push({ day, look: this.#look(), begins: false, run })
  }

  /** The user tags somebody who is in the first sequence only, and undoes it: they get nothing of the one that the tag starts. */
  #planUndoneTagging(day: number): void {
    const alone = [...this.#contacts.values()].slice(0, this.#plan.contacts / 10)
    const run = async () => {
      const { id } = this.#take(alone)
      const tag = this.#sequences.find(({ startsBy }) => startsBy !== null)?.startsBy
      if (tag == null) return
      const tagged = await call(this.#app.url, contacts.tagMany, { ...this.#as, body: { ids: [id], tag } })
      this.#ok(tagged)
      const params = { id: tagged.body.undo_id ?? 0 }
      this.#ok(await call(this.#app.url, contacts.undoMany, { ...this.#as, params }))
      this.#count('undone')
    }
    this.#events.push({ day, look: this.#look(), begins: false, run })
  }

  /** Every tag that starts a sequence or is asked about gets another name. */
  #planRenaming(): void {
    const run = async () => {
      const known = await call(this.#app.url, tags.list, this.#as)
      this.#ok(known)
      for (const { id, name } of known.body) {
        const sequence = this.#sequences.find(({ startsBy }) => startsBy === name)
        if (sequence === undefined && name !== VIP) continue
        const body = { name: `${name} of old` }
        this.#ok(await call(this.#app.url, tags.update, { ...this.#as, params: { id }, body }))
        if (sequence !== undefined) sequence.startsBy = body.name
        this.#count('renamed')
      }
    }
    this.#events.push({ day: this.#plan.renamed, look: 0, begins: false, run })
  }

  /** The template of the first sequence is deleted, and brought back in time. */
  #planWithdrawal(): void {
    const tell = async (isGone: boolean) => {
      const template = this.#sequences[0]?.template
      if (template == null) return
      const params = { id: template.id }
      const answer = isGone
        ? await call(this.#app.url, templates.remove, { ...this.#as, params })
        : await call(this.#app.url, templates.restore, { ...this.#as, params })
      this.#ok(answer)
      template.isGone = isGone
      this.#count(isGone ? 'withdrawn' : 'restored')
    }
    const { withdrawn: day } = this.#plan
    this.#events.push(
      { day, look: 1, begins: false, run: () => tell(true) },
      { day: day + 1, look: 0, begins: true, run: () => tell(false) },
    )
  }

  /** The user holds a member and lets it go on two days later. */
  #planHold(contact: Contact, day: number): void {
    const act = async (doing: 'pause' | 'go_on') => {
      for (const place of contact.entered) {
        const params = { id: this.#sequences[place]?.id ?? 0 }
        const query = { search: contact.email }
        const { body } = await call(this.#app.url, sequences.members, { ...this.#as, params, query })
        const ids = body.flatMap((member) => (member.email === contact.email ? [member.id] : []))
        if (ids.length === 0) continue
        this.#ok(await call(this.#app.url, sequences.act, { ...this.#as, params, body: { ids, act: doing } }))
        const key = `${place} ${contact.email}`
        if (doing === 'pause') this.#held.add(key)
        else this.#held.delete(key)
      }
      this.#count(doing)
    }
    this.#events.push(
      { day, look: 0, begins: false, run: () => act('pause') },
      { day: day + 2, look: 0, begins: true, run: () => act('go_on') },
    )
  }

  /** The user writes to some by a bulk run, who are in sequences or are going to be. */
  #planRun(): void {
    const { day, contacts: many } = this.#plan.run
    const run = async () => {
      const all = [...this.#contacts.values()].slice(0, -this.#plan.byHand)
      const free = all.filter(({ stopped, email }) => stopped === null && !this.#refused.has(email))
      const ids = Array.from({ length: many }, () => this.#take(free).id)
      const body = { audience: { contact_ids: ids }, write_again: true }
      this.#ok(await call(this.#app.url, outreach.generateAndSend, { ...this.#as, body }))
    }
    this.#events.push({ day, look: 2, begins: true, run })
  }

  /** A run that begins outside the hours and is paused before anything of it leaves. */
  #planHeldRun(): void {
    const { day, contacts: many } = this.#plan.heldRun
    let id = 0
    const tell = async (endpoint: typeof outreach.pause) =>
      this.#ok(await call(this.#app.url, endpoint, { ...this.#as, params: { id } }))
    const begin = async () => {
      // A run leaves out whom anything was mailed to in the last seven days.
      const since = this.#app.clock.now().getTime() - 8 * 86_400_000
      const people = [...this.#contacts.values()]
        .filter(({ stopped, email }) => stopped === null && !this.#refused.has(email))
        .filter(({ received }) => received.every(({ at }) => at.getTime() < since))
        .slice(0, many)
      const body = { audience: { contact_ids: people.map((each) => each.id) }, write_again: true }
      const begun = await call(this.#app.url, outreach.generateAndSend, { ...this.#as, body })
      this.#ok(begun)
      id = begun.body.batch_id
      await tell(outreach.pause)
      this.#waitingForRun = new Set(people)
    }
    const goOn = async () => {
      this.#waitingForRun.clear()
      await tell(outreach.resume)
    }
    this.#events.push(
      { day, look: LOOKS.length - 1, begins: false, run: begin },
      { day: day + 2, look: 3, begins: true, run: goOn },
    )
  }

  async #reply({ email, received }: Contact): Promise<void> {
    const { clock } = this.#app
    await receive(
      this.#app,
      this.#user,
      `From: <${email}>\nTo: ada@muster.example\nSubject: Re: Hello\nMessage-ID: <${clock.now().getTime()}${email}>\nDate: ${clock.now().toUTCString()}\nIn-Reply-To: ${header(received.at(-1)?.mail, 'Message-ID')}\n\nThank you, that is interesting. Tell me more.\n`,
    )
  }

  /** A report says that the newest mail could not be delivered. */
  async #returns({ email, received }: Contact): Promise<void> {
    const { clock } = this.#app
    const head = {
      From: 'Mail Delivery System <MAILER-DAEMON@customer.example>',
      Subject: `Undelivered: ${email}`,
      Date: clock.now().toUTCString(),
      'Message-ID': `<report${clock.now().getTime()}${email}>`,
      'MIME-Version': '1.0',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    }
    const body = `--b\r\nContent-Type: text/plain\r\n\r\nIt came back.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.customer.example\r\n\r\nFinal-Recipient: rfc822; ${email}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${header(received.at(-1)?.mail, 'Message-ID')}\r\n--b--\r\n`
    await receive(this.#app, this.#user, testMail(head, body))
  }

  async #unsubscribe({ received }: Contact): Promise<void> {
    const link = header(received.at(-1)?.mail, 'List-Unsubscribe') ?? ''
    const token = /\/unsubscribe\/([^>]+)>/.exec(link)?.[1] ?? ''
    this.#ok(await call(this.#app.url, emails.unsubscribe, { params: { token } }))
  }

  async #meet({ email }: Contact): Promise<void> {
    const time = (hours: number) =>
      new Date(this.#app.clock.now().getTime() + hours * 3_600_000).toISOString()
    const body = {
      title: 'Talk',
      start_time: time(90),
      end_time: time(91),
      type: 'phone' as const,
      attendees: [email],
    }
    this.#ok(await call(this.#app.url, meetings.add, { ...this.#as, body }))
  }

  /** The workers look until nothing is to do at this time and every mail has left. */
  async #settle(): Promise<void> {
    const begun = Date.now()
    const until = begun + PATIENCE_MS
    for (;;) {
      await this.#drive()
      const [open = {}] = await this.#sql(
        `SELECT (SELECT count(*) FROM sequence_work WHERE user_id = $1)::int AS work,
          (SELECT count(*) FROM sequence_members WHERE user_id = $1 AND is_open AND due_at <= $2)::int AS due,
          (SELECT count(*) FROM follow_up_days WHERE user_id = $1 AND finished_at IS NULL)::int AS days,
          (SELECT count(*) FROM deliveries WHERE user_id = $1 AND (state IN ('claimed', 'committed')
            OR state = 'queued' AND next_try_at <= $2))::int AS unsent,
          (SELECT count(*) FROM outreach_items i JOIN outreach_batches b ON b.user_id = i.user_id AND b.id = i.batch_id
            WHERE i.user_id = $1 AND i.state = 'pending' AND b.state = 'running' AND b.waits_for IS NULL)::int AS unwritten`,
        [this.#user.id, this.#app.clock.now()],
      )
      if (Object.values(open).every((rows) => rows === 0)) return
      // What a killed worker had begun, or a connection that broke, goes on after a while of a clock that does not stand.
      const isOnTheWay = Object.entries(open).every(([what, rows]) => rows === 0 || what === 'unsent')
      if (isOnTheWay && Date.now() > begun + STANDS_MS) {
        await pause(CLOCK_STEP_MS)
        this.#app.clock.forward(CLOCK_STEP_MS)
      }
      if (Date.now() > until) {
        const states = await this.#sql(
          `SELECT d.state, d.queue, d.next_try_at, d.attempt, d.worker_id, b.last_error, count(*), max(a.source) AS source FROM deliveries d
           JOIN mailboxes b ON b.user_id = d.user_id AND b.id = d.mailbox_id
           LEFT JOIN automatic_mails a ON a.user_id = d.user_id AND a.email_id = d.email_id
           WHERE d.user_id = $1 AND d.state <> 'sent' GROUP BY 1, 2, 3, 4, 5, 6`,
          [this.#user.id],
        )
        const at = this.#app.clock.now().toISOString()
        throw new Error(`The workers do not come to rest: ${at} ${JSON.stringify({ ...open, states })}`)
      }
    }
  }

  /** Judges every mail that has arrived since the last look; the clock has stood since then. */
  #readSink(): void {
    const at = this.#app.clock.now()
    for (; this.#read < this.#sink.received.length; this.#read++) {
      const sunk = this.#sink.received[this.#read]
      const contact = this.#byAddress.get(sunk?.envelope.to[0] ?? '')
      if (sunk === undefined || contact === undefined || header(sunk, 'Subject') === BY_HAND) continue
      const found = /Mark (\d+)-(\d+)\./.exec(sunk.raw.toString('latin1'))
      const arrival: Arrival = {
        at,
        mail: sunk,
        messageId: header(sunk, 'Message-ID') ?? '',
        sequence: found === null ? null : Number(found[1]),
        step: found === null ? null : Number(found[2]),
      }
      this.#outcome.mails += 1
      if (contact.received.some(({ messageId }) => messageId === arrival.messageId)) {
        this.#outcome.repeated += 1
        continue
      }
      this.#judge(contact, arrival)
      contact.received.push(arrival)
    }
  }

  #judge(contact: Contact, { at, mail: sunk, sequence: place, step }: Arrival): void {
    const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(this.#plan.zone)
    const what = `${local.toPlainDateTime().toString()} ${contact.email}, sequence ${place ?? '-'}, step ${step ?? '-'}`
    const broken = (why: string) => this.#outcome.broken.push(`${what}: ${why}`)
    const isAnswer = header(sunk, 'In-Reply-To') !== undefined
    this.#count(place !== null ? 'mails of sequences' : isAnswer ? 'mails of follow-ups' : 'mails of the run')
    if (contact.stopped !== null) broken(`a mail after “${contact.stopped}”`)
    if (contact.left.includes(sunk.envelope.to[0] ?? '')) broken('an address that has changed')
    const day = local.toPlainDate().toString()
    if (contact.received.some((earlier) => this.#dayOf(earlier.at) === day))
      broken('a second mail in one day')
    const inHours = ({ days, from_hour: from, until_hour: until }: typeof USER_HOURS) =>
      days.includes(local.dayOfWeek) && local.hour >= from && local.hour < until
    if (!inHours(USER_HOURS)) broken('outside the hours of the user')
    if (place === null && !isAnswer && this.#waitingForRun.has(contact)) broken('the run is paused')
    if (place === null) return
    const sequence = this.#sequences[place]
    const hours = SEQUENCE_HOURS[place % SEQUENCE_HOURS.length]
    if (hours !== undefined && !inHours(hours)) broken('outside the hours of the sequence')
    if (sequence?.isPaused === true) broken('the sequence stands still')
    if (sequence?.template?.isGone === true && step === 3) broken('the template is deleted')
    const isLed = this.#plan.chains.some(([, to]) => to === place)
    if (!isLed && !contact.entered.includes(place)) broken('never put into it')
    if (this.#held.has(`${place} ${contact.email}`)) broken('the member is held')
    const before = contact.received.filter((earlier) => earlier.sequence === place).length
    if (mailsFor(contact, place)[before] !== step) broken(`not the step that comes after ${before} mails`)
  }

  /** Whoever was not disturbed has had every mail of every sequence. */
  #judgeTheEnd(): void {
    for (const contact of this.#contacts.values()) {
      if ((this.#tries.get(contact.email) ?? 0) > 1)
        this.#outcome.broken.push(`${contact.email}: tried again after it was refused`)
      if (contact.stopped !== null || this.#refused.has(contact.email)) continue
      const got = (place: number) => contact.received.filter(({ sequence }) => sequence === place).length
      const places = new Set(contact.entered)
      // Whoever has come to the end of a chain's sequence is in the next one.
      for (const place of places)
        for (const [from, to] of this.#plan.chains)
          if (from === place && mailsFor(contact, place).length > 1) places.add(to)
      for (const place of places) {
        const mails = mailsFor(contact, place).length
        if (got(place) !== mails)
          this.#outcome.broken.push(`${contact.email}: ${got(place)} of ${mails} mails of sequence ${place}`)
      }
    }
  }

  #goTo(day: number, time: string): void {
    const { clock } = this.#app
    clock.forward(this.#momentOf(day, time).getTime() - clock.now().getTime())
  }

  #momentOf(day: number, time: string): Date {
    const at = Temporal.PlainDate.from(this.#plan.begin).add({ days: day })
    return new Date(at.toZonedDateTime({ timeZone: this.#plan.zone, plainTime: time }).epochMilliseconds)
  }

  async #logIn(): Promise<void> {
    const { email, password } = this.#user
    const answer = await call(this.#app.url, auth.login, { body: { email, password } })
    this.#ok(answer)
    this.#user.token = answer.body.token
  }

  get #as() {
    return { token: this.#user.token }
  }

  #dayOf(at: Date): string {
    return Temporal.Instant.fromEpochMilliseconds(at.getTime())
      .toZonedDateTimeISO(this.#plan.zone)
      .toPlainDate()
      .toString()
  }

  #take(all: Contact[]): Contact {
    const [contact] = all.splice(Math.floor(this.#random() * all.length), 1)
    if (contact === undefined) throw new Error('There are too few contacts for all that happens')
    return contact
  }

  #look(): number {
    return Math.floor(this.#random() * LOOKS.length)
  }

  #count(what: string, times = 1): void {
    this.#outcome.events[what] = (this.#outcome.events[what] ?? 0) + times
  }

  #ok({ status, error }: { status: number; error?: unknown }): void {
    expect(status, JSON.stringify(error)).toBe(200)
  }

  async #sql(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
    return (await runSql(this.#app.context.db, text, values)).rows as Record<string, unknown>[]
  }
}

const mail = (place: number, id: number, isAnswer: boolean) =>
  ({
    id,
    kind: 'mail',
    template_id: null,
    subject: isAnswer ? '' : `Hello ${place}-${id}`,
    body: `Hello {{ first_name | default: "there" }}.\n\nMark ${place}-${id}.\n`,
    same_conversation: isAnswer,
  }) satisfies SequenceStep
const wait = (id: number, amount: number, unit: 'days' | 'working_days' = 'days') =>
  ({ id, kind: 'wait', amount, unit }) satisfies SequenceStep
const tag = (id: number, name: string) => ({ id, kind: 'tag', act: 'add', tag: name }) satisfies SequenceStep
const chainTag = (place: number) => `Chain ${place}`
const ifTagged = (id: number, name: string) =>
  ({
    id,
    kind: 'condition',
    if: { about: 'tag', tag: name },
    met: 'end',
    otherwise: 'next',
  }) satisfies SequenceStep
/** Steps without mails that some sequences have. */
function extraSteps(place: number): SequenceStep[] {
  if (place % 4 === 2) return [{ id: 6, kind: 'task', title: 'Call {{ first_name }}', due_in_days: 2 }]
  if (place % 4 !== 3) return []
  return [
    tag(7, `Written ${place}`),
    { id: 10, kind: 'condition', if: { about: 'replied' }, met: 'end', otherwise: 'next' },
  ]
}
