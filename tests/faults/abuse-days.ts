import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { type NewActivity, noteActivity } from '#server/accounts/activities/activities.ts'
import { lookForAbuse } from '#server/operations/abuse/look-for-abuse.ts'
import { enqueueEmails, type EmailToQueue } from '#server/mail/emails/emails.ts'
import { finalizeSent } from '#server/mail/emails/delivery/settlements-store.ts'
import { noteFailedAddress, noteReceived } from '#server/mail/emails/ingest/classification-store.ts'
import { noteActivity as countReplies } from '#server/mail/emails/messages/activity-store.ts'
import { noteBounced } from '#server/mail/emails/messages/correspondents-store.ts'
import { suppress } from '#server/mail/emails/suppressions/suppressions-store.ts'
import { seeded } from '../support/seeded.ts'
import { storeMails } from '../support/stored-mails.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { ABUSERS, CROWD } from './abuse-people.ts'

// Virtual days of honest users and abusers on one Howl. Everything that the rules look at is written by the functions that write
// it in earnest; only servers, passwords and waiting are left out. server/operations/abuse/abuse.test.ts shows that real calls and real
// mail write the same.

const HOUR_MS = 3_600_000
/** People act so often a day, and the rules look after each time. */
const TICK_HOURS = 3
const MAILS_AT_ONCE = 500

/** What became of all people of one kind. */
export type Outcome = {
  kind: string
  isAbuser: boolean
  people: number
  found: number
  banned: number
  /** Of the first of them that was found or banned: hours since he began, and mails until then. */
  foundAfter: number | null
  mailsUntilFound: number
  bannedAfter: number | null
  mailsUntilBanned: number
  patterns: string[]
  highestRisk: number
}

/** How somebody behaves. `begin` opens the account; `act` is called every three hours. */
export type Behaviour = {
  kind: string
  isAbuser?: true
  begin: (person: Person, world: World) => Promise<void>
  act: (person: Person, world: World) => Promise<void>
}

export type Person = {
  behaviour: Behaviour
  /** Which of its kind, from 0 on. */
  index: number
  id: number
  ip: string
  begunAt: Date
  sent: number
  /** Whom this person mails again and again. */
  list: string[]
  /** Further accounts of the same person. */
  others: Person[]
  random: () => number
  memory: Record<string, number>
}

export type Bulk = {
  to: readonly string[]
  purpose?: EmailToQueue['purpose']
  text?: (address: string) => string
  /** Shares of those who are mailed: refused at once, come back later, come back for want of a domain, complain, reply. */
  refused?: number
  bounced?: number
  noDomain?: number
  complained?: number
  replied?: number
}

const WORDS =
  'about again answer autumn bakery basket before better bicycle bottle bread bridge bright butter candle carpet choose colour corner cotton customer delivery different dinner doctor driver early engine evening family fellow figure finger flower forest friend garden gentle glass green hammer happy harbour holiday honest horse invoice island jacket journey kitchen ladder language leather letter library little machine market meadow meeting metal minute mirror modern morning mountain nature needle number office orange order paper pencil people picture pocket prepare pretty price project quarter question quiet reason repair ribbon river saddle sample school season second silver simple sister spring station stone story street summer supper table thank ticket together tomorrow travel under valley village visit wagon water weather window winter wonder wooden yellow yesterday'.split(
    ' ',
  )

export class World {
  readonly people: Person[] = []
  #serial = 0
  #later: { at: Date; run: () => Promise<void> }[] = []

  readonly app: TestApp
  readonly begun: Date

  /** How much of their mail the largest senders send. */
  readonly share: number

  constructor(app: TestApp, share: number) {
    this.app = app
    this.share = share
    this.begun = app.context.clock.now()
  }

  now = () => this.app.context.clock.now()
  day = () => Math.floor((this.now().getTime() - this.begun.getTime()) / (24 * HOUR_MS))
  hour = () => Math.floor((this.now().getTime() - this.begun.getTime()) / HOUR_MS) % 24

  /** Opens an account, as sign-up does once the password is hashed. */
  async open(person: Person, { code = '', isAdmin = false, mailbox = true } = {}): Promise<void> {
    const { context } = this.app
    this.#serial += 1
    const name = `person${this.#serial}`
    await inTransaction(context.db, async (tx) => {
      const { rows } = await runSql(
        tx,
        `INSERT INTO users (email, email_key, username, username_key, password_hash, name, referred_by_code, is_admin, created_at)
         VALUES ($1, $1, $2, $2, 'x', $3, $4, $5, $6) RETURNING id`,
        [`${name}@people.example`, name, person.behaviour.kind, code, isAdmin, this.now()],
      )
      person.id = (rows[0] as { id: number }).id
      await noteActivity(context, tx, { type: 'account_opened', user: person.id, origin: { ip: person.ip } })
      if (mailbox)
        await runSql(
          tx,
          `INSERT INTO mailboxes (user_id, is_primary, is_default, address, smtp_host, smtp_port, created_at)
           VALUES ($1, true, true, $2, 'smtp.far.example', 587, $3)`,
          [person.id, `${name}@people.example`, this.now()],
        )
    })
  }

  async confirm(person: Person): Promise<void> {
    await runSql(this.app.context.db, 'UPDATE users SET email_confirmed_at = $2 WHERE id = $1', [
      person.id,
      this.now(),
    ])
    await this.note('email_confirmed', person)
  }

  /** Somebody who is already known: the account is older than the simulation. */
  async openLongAgo(person: Person, days = 200): Promise<void> {
    await this.open(person)
    await runSql(
      this.app.context.db,
      'UPDATE users SET created_at = $2, email_confirmed_at = $2 WHERE id = $1',
      [person.id, new Date(this.now().getTime() - days * 24 * HOUR_MS)],
    )
  }

  async note(type: NewActivity['type'], person: Person, more: Partial<NewActivity> = {}): Promise<void> {
    const { context } = this.app
    await noteActivity(context, context.db, { type, user: person.id, origin: { ip: person.ip }, ...more })
  }

  /** The same at another time. */
  async noteAt(at: Date, type: NewActivity['type'], person: Person, detail: string): Promise<void> {
    const { context } = this.app
    const activity = { type, user: person.id, origin: { ip: person.ip }, detail }
    await noteActivity({ ...context, clock: { now: () => at } }, context.db, activity)
  }

  strangers(person: Person, count: number, roles = 0): string[] {
    return Array.from({ length: count }, () => {
      this.#serial += 1
      const name = person.random() < roles ? 'info' : `somebody${this.#serial}`
      return `${name}@company${this.#serial}.example`
    })
  }

  text(person: Person, words = 14): string {
    return Array.from({ length: words }, () => WORDS[Math.floor(person.random() * WORDS.length)]).join(' ')
  }

  async contacts(person: Person, addresses: readonly string[]): Promise<void> {
    await runSql(
      this.app.context.db,
      `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
       SELECT $1, 'Contact', a, a, $2, $2 FROM unnest($3::text[]) AS a ON CONFLICT DO NOTHING`,
      [person.id, this.now(), addresses],
    )
  }

  async imports(person: Person, created: number): Promise<void> {
    await runSql(
      this.app.context.db,
      `INSERT INTO contact_imports (user_id, file_name, size, created_at, layout, finished_at, created)
       VALUES ($1, 'contacts.csv', 1000, $2, '{}', $2, $3)`,
      [person.id, this.now(), created],
    )
    await this.note('contacts_imported', person, { detail: `${created} added` })
  }

  /** Sends mails and lets happen what follows: each share of the recipients bounces, complains or replies in the next hours. */
  async send(person: Person, bulk: Bulk): Promise<void> {
    const to = [...bulk.to]
    while (to.length > 0) await this.#sendSome(person, to.splice(0, MAILS_AT_ONCE), bulk)
  }

  async #sendSome(person: Person, to: string[], bulk: Bulk): Promise<void> {
    const { context } = this.app
    const { db } = context
    const { purpose = 'outreach', text = () => this.text(person) } = bulk
    const mailboxId = await this.#mailboxOf(person)
    const ids = await inTransaction(db, (tx) =>
      enqueueEmails(
        context,
        tx,
        {
          userId: person.id,
          mailboxId,
          priority: 1,
          from: { name: person.behaviour.kind, address: 'me@people.example' },
        },
        to.map((address) => ({ to: address, subject: 'A word', text: text(address), purpose })),
      ),
    )
    const fate = to.map((address, at) => ({ address, id: ids[at] ?? 0, luck: person.random() }))
    const { refused = 0, bounced = 0, noDomain = 0, complained = 0, replied = 0 } = bulk
    const between = (from: number, share: number) =>
      fate.filter(({ luck }) => luck >= from && luck < from + share)
    const failed = between(0, refused)
    await runSql(
      db,
      `UPDATE deliveries SET state = CASE WHEN email_id = ANY($3) THEN 'failed' ELSE 'sent' END,
         queue = CASE WHEN email_id = ANY($3) THEN 'failed' ELSE 'due' END, settled_at = $2
       WHERE user_id = $1 AND email_id = ANY($4)`,
      [person.id, this.now(), failed.map(({ id }) => id), ids],
    )
    await finalizeSent(db, person.id, mailboxId)
    person.sent += to.length - failed.length
    for (const { address, id } of failed)
      await suppress(
        db,
        person.id,
        { address_key: address, reason: 'bounced', detail: '550 5.1.1 User unknown', email_id: id },
        this.now(),
      )
    const later = (hours: number, run: () => Promise<void>) =>
      this.#later.push({ at: new Date(this.now().getTime() + hours * HOUR_MS), run })
    const dead = between(refused, bounced).map(({ address, id }) => ({
      address,
      id,
      detail: '550 5.1.1 User unknown',
    }))
    const lost = between(refused + bounced, noDomain).map(({ address, id }) => ({
      address,
      id,
      detail: 'Host or domain name not found',
    }))
    const angry = between(refused + bounced + noDomain, complained)
    const kind = between(refused + bounced + noDomain + complained, replied)
    later(2, () => this.#reports(person, mailboxId, 'bounced', [...dead, ...lost]))
    later(8, () =>
      this.#reports(
        person,
        mailboxId,
        'complaint',
        angry.map(({ address, id }) => ({ address, id, detail: '' })),
      ),
    )
    later(12, () =>
      this.#replies(
        person,
        kind.map(({ address }) => address),
      ),
    )
  }

  async #mailboxOf(person: Person): Promise<number> {
    const { rows } = await runSql(this.app.context.db, 'SELECT id FROM mailboxes WHERE user_id = $1', [
      person.id,
    ])
    return (rows[0] as { id: number }).id
  }

  /** Reports about failed mail, or complaints, of a provider that is what it says, as reading a mailbox notes them. */
  async #reports(
    person: Person,
    mailboxId: number,
    reason: 'bounced' | 'complaint',
    found: readonly { address: string; id: number; detail: string }[],
  ): Promise<void> {
    if (found.length === 0) return
    const { db } = this.app.context
    const [report = 0] = await storeMails(this.app, person.id, [{ mailboxId, at: this.now() }])
    await inTransaction(db, async (tx) => {
      for (const { address, id, detail } of found) {
        await suppress(tx, person.id, { address_key: address, reason, detail, email_id: report }, this.now())
        await noteFailedAddress(tx, person.id, { key: address, reason, detail, emailId: id, isCertain: true })
        if (reason === 'bounced') await noteBounced(tx, person.id, address, this.now())
      }
    })
    const gone = new Set(found.map(({ address }) => address))
    person.list = person.list.filter((address) => !gone.has(address))
  }

  async #replies(person: Person, addresses: readonly string[]): Promise<void> {
    if (addresses.length === 0) return
    const at = this.now()
    await inTransaction(this.app.context.db, async (tx) => {
      await noteReceived(
        tx,
        person.id,
        addresses.map((key) => ({ key, at, replied: true, interested: false })),
      )
      await countReplies(
        tx,
        person.id,
        addresses.map(() => ({ what: 'reply' as const, at })),
        at,
      )
    })
  }

  async passTime(): Promise<void> {
    this.app.clock.forward(TICK_HOURS * HOUR_MS)
    const due = this.#later.filter(({ at }) => at <= this.now())
    this.#later = this.#later.filter(({ at }) => at > this.now())
    for (const { run } of due) await run()
  }
}

/**
 * Lets people live on one Howl for some days.
 *
 * @param options how many honest users, how many days, the seed that decides all chances, and the share of their mail that the
 *   largest senders send, to be quick
 */
export async function liveDays(options: {
  honest: number
  days: number
  seed: number
  share?: number
}): Promise<{ outcomes: Outcome[]; rounds: number; slowestRoundMs: number; mails: number }> {
  const app = await startTestApp({ roles: ['web'] })
  try {
    // Days of the rules are those of UTC: the same seed lives the same days whenever the test runs.
    app.clock.stand()
    app.clock.forward(24 * HOUR_MS - (app.context.clock.now().getTime() % (24 * HOUR_MS)))
    const world = new World(app, options.share ?? 1)
    const crowd = [
      ...CROWD.flatMap(({ behaviour, share }) =>
        Array.from({ length: Math.max(1, Math.round(share * options.honest)) }, (_, index) => ({
          behaviour,
          index,
        })),
      ).slice(0, options.honest),
      ...ABUSERS.map((behaviour) => ({ behaviour, index: 0 })),
    ]
    for (const [at, { behaviour, index }] of crowd.entries()) {
      const person: Person = {
        behaviour,
        index,
        id: 0,
        ip: `20.${Math.floor(at / 200)}.${at % 200}.7`,
        begunAt: world.now(),
        sent: 0,
        list: [],
        others: [],
        random: seeded(options.seed + at * 7919),
        memory: {},
      }
      await behaviour.begin(person, world)
      world.people.push(person)
    }
    const first = new Map<number, { at: Date; mails: number }>()
    const banned = new Map<number, { at: Date; mails: number }>()
    const risks = new Map<number, number>()
    let slowestRoundMs = 0
    let rounds = 0
    for (; rounds < (options.days * 24) / TICK_HOURS; rounds++) {
      for (const person of world.people) if (!banned.has(person.id)) await person.behaviour.act(person, world)
      await world.passTime()
      const began = performance.now()
      await lookForAbuse(app.context)
      slowestRoundMs = Math.max(slowestRoundMs, performance.now() - began)
      await noteWhatIsFound(world, { first, banned, risks })
    }
    return {
      outcomes: await outcomesOf(world, { first, banned, risks }),
      rounds,
      slowestRoundMs: Math.round(slowestRoundMs),
      mails: world.people.reduce((sum, { sent }) => sum + sent, 0),
    }
  } finally {
    await app.end()
  }
}

type Seen = {
  first: Map<number, { at: Date; mails: number }>
  banned: Map<number, { at: Date; mails: number }>
  risks: Map<number, number>
}

const accountsOf = (person: Person) => [person, ...person.others]

async function noteWhatIsFound(world: World, { first, banned, risks }: Seen): Promise<void> {
  const { db } = world.app.context
  const { rows: patterns } = await runSql(
    db,
    `SELECT user_id AS id, sum(score * 0.5 ^ (extract(epoch FROM $1::timestamptz - last_detected) / 604800)) AS risk
     FROM abuse_patterns GROUP BY 1`,
    [world.now()],
  )
  const { rows: bans } = await runSql(db, 'SELECT DISTINCT user_id AS id FROM bans')
  const mailsOf = new Map(world.people.flatMap(accountsOf).map(({ id, sent }) => [id, sent]))
  const at = world.now()
  for (const { id, risk } of patterns as { id: number; risk: number }[]) {
    if (!first.has(id)) first.set(id, { at, mails: mailsOf.get(id) ?? 0 })
    risks.set(id, Math.max(risks.get(id) ?? 0, risk))
  }
  for (const { id } of bans as { id: number }[])
    if (!banned.has(id)) banned.set(id, { at, mails: mailsOf.get(id) ?? 0 })
}

async function outcomesOf(world: World, { first, banned, risks }: Seen): Promise<Outcome[]> {
  const { rows } = await runSql(world.app.context.db, 'SELECT user_id, pattern_type FROM abuse_patterns')
  const patterns = Map.groupBy(rows as { user_id: number; pattern_type: string }[], ({ user_id }) => user_id)
  const kinds = Map.groupBy(world.people, ({ behaviour }) => behaviour)
  return [...kinds].map(([behaviour, people]) => {
    const accounts = people.flatMap(accountsOf)
    const hours = (person: Person, at: Date) => (at.getTime() - person.begunAt.getTime()) / HOUR_MS
    const earliest = (seen: Seen['first']) =>
      people
        .flatMap((person) =>
          accountsOf(person).flatMap(({ id }) => {
            const found = seen.get(id)
            return found === undefined ? [] : [{ hours: hours(person, found.at), mails: found.mails }]
          }),
        )
        .toSorted((one, other) => one.hours - other.hours)[0]
    const count = (seen: Seen['first']) =>
      people.filter((person) => accountsOf(person).some(({ id }) => seen.has(id))).length
    return {
      kind: behaviour.kind,
      isAbuser: behaviour.isAbuser === true,
      people: people.length,
      found: count(first),
      banned: count(banned),
      foundAfter: earliest(first)?.hours ?? null,
      mailsUntilFound: earliest(first)?.mails ?? 0,
      bannedAfter: earliest(banned)?.hours ?? null,
      mailsUntilBanned: earliest(banned)?.mails ?? 0,
      patterns: [
        ...new Set(accounts.flatMap(({ id }) => (patterns.get(id) ?? []).map((each) => each.pattern_type))),
      ],
      highestRisk: Math.round(Math.min(100, Math.max(0, ...accounts.map(({ id }) => risks.get(id) ?? 0)))),
    }
  })
}

/** The outcomes as a table in Markdown, for docs/abuse.md. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const after = (hours: number | null, mails: number) =>
    hours === null
      ? '–'
      : `${hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`}, ${mails.toLocaleString('en')} mails`
  const rows = outcomes.map(
    (each) =>
      `| ${each.kind} | ${each.people} | ${each.patterns.join(', ') || '–'} | ${after(each.foundAfter, each.mailsUntilFound)} | ${after(each.bannedAfter, each.mailsUntilBanned)} | ${each.highestRisk} |`,
  )
  return [
    '| kind | people | patterns | first found after | banned after | highest risk |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
