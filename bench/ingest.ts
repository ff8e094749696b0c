import { setTimeout as pause } from 'node:timers/promises'
import { type Dovecot, startDovecot } from '../tests/support/dovecot.ts'
import { signUp } from '../tests/support/factories.ts'
import type { Fetched } from './bare/imapflow.ts'
import { type Benchmark, duration, inTurns, median, whole } from './parts/figure.ts'
import { type BenchHowl, connectMailbox, startHowl } from './parts/howl.ts'
import { inventedMail } from './parts/invented-mail.ts'
import { memoryOf, startPart } from './parts/process.ts'

const MAILS = 10_000
const ROUNDS = 3
const LOOK_EVERY_MS = 50
const LIMIT_MS = 180_000
const ACCOUNT = 'ada'

/** The first reading of a mailbox, until every mail is stored, sorted into threads and can be opened, against a bare fetch. */
export const ingest: Benchmark = {
  name: 'ingest',
  measure: async () => {
    const dovecot = await startDovecot({ users: { [ACCOUNT]: 'secret' } })
    const howl = await startHowl()
    try {
      await dovecot.deliverMany(ACCOUNT, 'INBOX', inventedMails())
      // The server's own index is made by whoever comes first.
      await bareFetch(dovecot)
      const rounds = await inTurns(
        ROUNDS,
        () => bareFetch(dovecot),
        () => howlReads(howl, dovecot),
      )
      const memory = await memoryOf(howl.pid)
      const bareMs = median(rounds.bare.map(({ ms }) => ms))
      const howlMs = median(rounds.howl)
      const bytes = rounds.bare[0]?.bytes ?? 0
      return [
        {
          name: 'IMAP ingest, 10,000 mails',
          baseline: `${whole(MAILS / (bareMs / 1000))} mails/s`,
          howl: `${whole(MAILS / (howlMs / 1000))} mails/s`,
          ratio: bareMs / howlMs,
          reach: { atLeast: 0.5 },
          notes: [
            `mails of ${whole(bytes / MAILS)} bytes on average; Howl from saving the account to the last mail`,
            `each round: bare ${rounds.bare.map(({ ms }) => duration(ms)).join(', ')}; Howl ${rounds.howl.map((ms) => duration(ms)).join(', ')}`,
            ...(memory === null ? [] : [`memory of Howl at most ${whole(memory.most)} MB`]),
          ],
        },
      ]
    } finally {
      await howl.end()
      await dovecot.stop()
    }
  },
}

function* inventedMails(): Generator<string> {
  for (let n = 0; n < MAILS; n++) yield inventedMail(n)
}

async function bareFetch(dovecot: Dovecot): Promise<Fetched> {
  const part = startPart('bare/imapflow.ts', dovecot.user(ACCOUNT))
  await part.next()
  part.send({ go: true })
  const fetched = await part.next<Fetched>()
  await part.end()
  if (fetched.mails !== MAILS) throw new Error(`The bare fetch got ${fetched.mails} mails`)
  return fetched
}

/** A new user connects the account; resolves to how long it takes until all of it is there. */
async function howlReads(howl: BenchHowl, dovecot: Dovecot): Promise<number> {
  const user = await signUp(howl.url)
  const begun = performance.now()
  await connectMailbox(howl, user, { host: dovecot.host, port: 2525 }, dovecot.user(ACCOUNT))
  for (;;) {
    const [found] = await howl.sql<{ done: boolean }>(
      `SELECT coalesce((SELECT sum(total) FROM email_counts WHERE user_id = $1), 0) >= $2
         AND NOT EXISTS (SELECT FROM emails WHERE user_id = $1 AND NOT has_body) AS done`,
      [user.id, MAILS],
    )
    if (found?.done === true) return performance.now() - begun
    if (performance.now() - begun > LIMIT_MS) throw new Error('Howl did not get to the end of the mailbox')
    await pause(LOOK_EVERY_MS)
  }
}
