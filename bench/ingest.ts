import { setTimeout as pause } from 'node:timers/promises'
import { type Dovecot, startDovecot } from '../tests/support/dovecot.ts'
import { signUp } from '../tests/support/factories.ts'
import type { Fetched, FetchedItems } from './bare/imapflow.ts'
import { type Benchmark, duration, type Figure, inTurns, median, whole } from './parts/figure.ts'
import { type BenchHowl, connectMailbox, startHowl, untilAtRest } from './parts/howl.ts'
import { inventedLetter, inventedMail } from './parts/invented-mail.ts'
import { memoryOf, startPart } from './parts/process.ts'

const ROUNDS = 5
const LOOK_EVERY_MS = 50
const LIMIT_MS = 180_000

/** A mailbox on the server, under the account's name. */
type Inbox = { account: string; mails: number; mail: (n: number) => string }
const SMALL: Inbox = { account: 'ada', mails: 10_000, mail: inventedMail }
const MIXED: Inbox = { account: 'grace', mails: 4000, mail: inventedLetter }

/** The first reading of a mailbox, until every mail is stored, sorted into threads and can be opened, against a bare fetch. */
export const ingest: Benchmark = {
  name: 'ingest',
  measure: async () => {
    const dovecot = await startDovecot({ users: { [SMALL.account]: 'secret', [MIXED.account]: 'secret' } })
    const howl = await startHowl()
    try {
      const figures = [
        ...(await compare(dovecot, howl, SMALL, `IMAP ingest, ${whole(SMALL.mails)} mails`)),
        ...(await compare(dovecot, howl, MIXED, `IMAP ingest, ${whole(MIXED.mails)} mails of all sizes`)),
      ]
      const memory = await memoryOf(howl.pid)
      if (memory !== null) figures[0]?.notes?.push(`memory of Howl at most ${whole(memory.most)} MB`)
      return figures
    } finally {
      await howl.end()
      await dovecot.stop()
    }
  },
}

/** Two figures: against a fetch of the mails alone, and against one of all that a mail program has to know of them. */
async function compare(dovecot: Dovecot, howl: BenchHowl, inbox: Inbox, name: string): Promise<Figure[]> {
  await dovecot.deliverMany(inbox.account, 'INBOX', mailsOf(inbox))
  // The server's own index is made by whoever comes first.
  await bareFetch(dovecot, inbox, 'everything')
  const rounds = await inTurns(
    ROUNDS,
    async () => {
      await untilAtRest(howl)
      return {
        source: await bareFetch(dovecot, inbox, 'source'),
        everything: await bareFetch(dovecot, inbox, 'everything'),
      }
    },
    async () => {
      await untilAtRest(howl)
      return howlReads(howl, dovecot, inbox)
    },
  )
  const howlMs = median(rounds.howl)
  const perSecond = (ms: number) => `${whole(inbox.mails / (ms / 1000))} mails/s`
  const against = (items: FetchedItems, label: string): Figure => {
    const times = rounds.bare.map((fetched) => fetched[items].ms)
    const bytes = rounds.bare[0]?.[items].bytes ?? 0
    return {
      name: label,
      baseline: perSecond(median(times)),
      howl: perSecond(howlMs),
      ratio: median(times) / howlMs,
      reach: { atLeast: 0.5 },
      notes: [
        `mails of ${whole(bytes / inbox.mails)} bytes on average; Howl from saving the account to the last mail`,
        `each round: bare ${times.map(duration).join(', ')}; Howl ${rounds.howl.map(duration).join(', ')}`,
      ],
    }
  }
  return [
    against('source', `${name}, beside their bytes alone`),
    against('everything', `${name}, beside all items`),
  ]
}

function* mailsOf({ mails, mail }: Inbox): Generator<string> {
  for (let n = 0; n < mails; n++) yield mail(n)
}

async function bareFetch(dovecot: Dovecot, inbox: Inbox, items: FetchedItems): Promise<Fetched> {
  const part = startPart('bare/imapflow.ts', { ...dovecot.user(inbox.account), items })
  await part.next()
  part.send({ go: true })
  const fetched = await part.next<Fetched>()
  await part.end()
  if (fetched.mails !== inbox.mails) throw new Error(`The bare fetch got ${fetched.mails} mails`)
  return fetched
}

/** A new user connects the account; resolves to how long it takes until all of it is there. */
async function howlReads(howl: BenchHowl, dovecot: Dovecot, inbox: Inbox): Promise<number> {
  const user = await signUp(howl.url)
  const begun = performance.now()
  await connectMailbox(howl, user, { host: dovecot.host, port: 2525 }, dovecot.user(inbox.account))
  for (;;) {
    const [found] = await howl.sql<{ done: boolean }>(
      `SELECT coalesce((SELECT sum(total) FROM email_counts WHERE user_id = $1), 0) >= $2
         AND NOT EXISTS (SELECT FROM emails WHERE user_id = $1 AND NOT has_body) AS done`,
      [user.id, inbox.mails],
    )
    if (found?.done === true) return performance.now() - begun
    if (performance.now() - begun > LIMIT_MS) throw new Error('Howl did not get to the end of the mailbox')
    await pause(LOOK_EVERY_MS)
  }
}
