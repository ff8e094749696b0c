import { ImapFlow } from 'imapflow'
import { emails } from '#contract/mail/emails.ts'
import type { MailAction } from '#contract/mail/email-actions.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { openPass } from '#server/mail/emails/sync/open-pass.ts'
import { syncMailbox } from '#server/mail/emails/sync/sync-mailbox.ts'
import { mailbox as findMailbox } from '#server/mail/mailboxes/mailboxes.ts'
import { call } from '../support/client.ts'
import { startDovecot } from '../support/dovecot.ts'
import { type CuttingProxy, startCuttingProxy } from '../support/hostile-imap.ts'
import { testMail } from '../support/mail-servers.ts'
import { connectReader, type Reader } from '../support/reading.ts'
import { seeded } from '../support/seeded.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

/** What both sides know of a mail: in which folder, read, starred. `gone` if it is nowhere. */
type Standing = string
export type SyncTally = {
  actions: number
  here: number
  there: number
  cuts: number
  mails: number
  lost: string[]
  doubled: string[]
  differing: string[]
  illegal: number
  pending: number
  /** How many mails ended in which folder. */
  ended: Record<string, number>
}

const FOLDERS = {
  INBOX: 'inbox',
  Sent: 'sent',
  Archive: 'archived',
  Junk: 'spam',
  Trash: 'trash',
  Projects: 'archived',
}
type Path = keyof typeof FOLDERS
const PATHS = Object.keys(FOLDERS) as Path[]

/**
 * Does `actions` random things with `mails` mails, here over HTTP and on the server in another mail program, while a
 * worker goes back and forth between the two over a connection that is cut now and then; then waits until it is idle and
 * compares the two sides.
 */
export async function syncBothWays(options: {
  actions: number
  mails: number
  seed: number
  cutEvery?: number
}): Promise<SyncTally> {
  const random = seeded(options.seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const dovecot = await startDovecot({ users: { ada: 'pass' } })
  const proxy = await startCuttingProxy({ target: dovecot })
  const app = await startTestApp({ roles: ['web'] })
  const other = new ImapFlow({
    host: dovecot.host,
    port: dovecot.port,
    secure: false,
    doSTARTTLS: false,
    auth: { user: 'ada', pass: 'pass' },
    logger: false,
  })
  const tally: SyncTally = {
    actions: options.actions,
    here: 0,
    there: 0,
    cuts: 0,
    mails: options.mails,
    lost: [],
    doubled: [],
    differing: [],
    illegal: 0,
    pending: 0,
    ended: {},
  }
  try {
    for (let at = 0; at < options.mails; at += 1) {
      const own = at % 5 === 4
      const people = own
        ? { From: 'ada@muster.example', To: 'bob@far.example' }
        : { From: 'bob@far.example', To: 'ada@muster.example' }
      const raw = testMail({ ...people, Subject: `Mail ${at}`, 'Message-ID': `<${at}@two.example>` })
      await dovecot.deliver('ada', own ? 'Sent' : 'INBOX', raw)
    }
    await dovecot.deliver(
      'ada',
      'Projects',
      testMail({ Subject: 'Project', 'Message-ID': '<p@two.example>' }),
    )
    const reader = await connectReader(app, { ...dovecot.user('ada'), host: proxy.host, port: proxy.port })
    const sync = makeSync(app, reader)
    await sync('all')
    await other.connect()
    const byId = await idsOf(app, reader)

    for (let done = 0; done < options.actions;) {
      const batch = 1 + Math.floor(random() * 8)
      const cutting = options.cutEvery !== undefined && random() < 1 / options.cutEvery
      if (cutting) proxy.setCut(200 + Math.floor(random() * 6000), pick(['reset', 'end'] as const))
      // Concurrently: the worker runs while both sides go on.
      let underWay = true
      const working = sync(pick(['all', 'inbox', 'actions', 'all'] as const))
        .then(
          () => false,
          () => true,
        )
        .finally(() => {
          underWay = false
        })
      // Dovecot itself duplicates a mail that two connections move at the same moment; that is not tested here.
      const mayMove = async (name: string) => !(underWay && (await isBeingMoved(app, reader, name)))
      for (let at = 0; at < batch && done < options.actions; at += 1, done += 1) {
        if (random() < 0.5) {
          await actHere(app, reader, pick(byId), random)
          tally.here += 1
        } else {
          await actThere(other, pick, random, mayMove)
          tally.there += 1
        }
      }
      if (await working) tally.cuts += 1
      if (cutting) mend(proxy)
    }
    // Idle: whatever waits for its next attempt is tried now.
    for (let round = 0; round < 6; round += 1) {
      app.clock.forward(15 * 60_000)
      await sync('all')
    }
    await compare(app, reader, other, byId.length, tally)
    return tally
  } finally {
    other.close()
    await app.end()
    await proxy.stop()
    await dovecot.stop()
  }
}

function mend(proxy: CuttingProxy): void {
  proxy.setCut(null)
  proxy.cutNow()
}

/** Syncs the two sides once, as a worker does that has claimed the account. */
function makeSync(app: TestApp, { id, mailboxId, suspects }: Reader) {
  return async (folders: 'all' | 'inbox' | 'actions') => {
    const { db, workerId } = app.context
    await runSql(db, 'UPDATE mailboxes SET reader_id = $1 WHERE user_id = $2 AND id = $3', [
      workerId,
      id,
      mailboxId,
    ])
    const mailbox = await findMailbox(db, id, mailboxId)
    if (mailbox === undefined) throw new Error('No mailbox')
    const pass = await openPass(app.context, mailbox, suspects, new AbortController().signal)
    try {
      await syncMailbox(pass, { folders })
    } finally {
      pass.session.close()
    }
  }
}

/** Whether a worker may be moving this mail on the server right now. */
async function isBeingMoved(app: TestApp, { id }: Reader, name: string): Promise<boolean> {
  const { rows } = await runSql(
    app.context.db,
    `SELECT 1 FROM pending_actions p JOIN emails e ON e.user_id = p.user_id AND e.id = p.email_id
     WHERE p.user_id = $1 AND e.message_id = $2 AND p.moved`,
    [id, name],
  )
  return rows.length > 0
}

async function idsOf(app: TestApp, { id }: Reader): Promise<number[]> {
  const { rows } = await runSql(app.context.db, 'SELECT id FROM emails WHERE user_id = $1 ORDER BY id', [id])
  return (rows as { id: number }[]).map((row) => row.id)
}

const HERE: readonly MailAction[] = [
  'read',
  'unread',
  'star',
  'unstar',
  'archive',
  'unarchive',
  'trash',
  'restore',
  'spam',
  'not-spam',
]

async function actHere(app: TestApp, { token }: Reader, id: number, random: () => number): Promise<void> {
  const action = random() < 0.02 ? 'delete' : (HERE[Math.floor(random() * HERE.length)] ?? 'read')
  const answer = await call(app.url, emails.act, { token, body: { action, ids: [id] } })
  if (answer.status !== 200) throw new Error(answer.error.detail)
}

/** Another mail program marks, moves or deletes a mail. */
async function actThere(
  other: ImapFlow,
  pick: <T>(from: readonly T[]) => T,
  random: () => number,
  mayMove: (name: string) => Promise<boolean>,
): Promise<void> {
  const path = pick(PATHS)
  const lock = await other.getMailboxLock(path)
  try {
    await other.noop()
    const uids = await other.search({ all: true }, { uid: true })
    if (!Array.isArray(uids) || uids.length === 0) return
    const uid = `${pick(uids)}`
    const what = random()
    if (what < 0.2) await other.messageFlagsAdd(uid, ['\\Seen'], { uid: true })
    else if (what < 0.4) await other.messageFlagsRemove(uid, ['\\Seen'], { uid: true })
    else if (what < 0.5) await other.messageFlagsAdd(uid, ['\\Flagged'], { uid: true })
    else if (what < 0.6) await other.messageFlagsRemove(uid, ['\\Flagged'], { uid: true })
    else if (what < 0.98) {
      const mail = await other.fetchOne(uid, { envelope: true }, { uid: true })
      if (!mail || !(await mayMove((mail.envelope?.messageId ?? '').replaceAll(/[<>]/g, '')))) return
      const to = pick(PATHS.filter((each) => each !== path))
      await other.messageMove(uid, to, { uid: true })
    } else await other.messageDelete(uid, { uid: true })
  } finally {
    lock.release()
  }
}

async function compare(
  app: TestApp,
  { id }: Reader,
  other: ImapFlow,
  mails: number,
  tally: SyncTally,
): Promise<void> {
  const there = new Map<string, Standing[]>()
  for (const path of PATHS) {
    const lock = await other.getMailboxLock(path)
    try {
      await other.noop()
      if (other.mailbox !== false && other.mailbox.exists === 0) continue
      for await (const { envelope, flags } of other.fetch(
        '1:*',
        { envelope: true, flags: true },
        { uid: true },
      )) {
        const name = (envelope?.messageId ?? '').replaceAll(/[<>]/g, '')
        const standing = `${FOLDERS[path]} ${flags?.has('\\Seen')} ${flags?.has('\\Flagged')}`
        there.set(name, [...(there.get(name) ?? []), standing])
      }
    } finally {
      lock.release()
    }
  }
  const { rows } = await runSql(
    app.context.db,
    `SELECT message_id AS name, folder, original_folder, direction, is_read, is_starred FROM emails WHERE user_id = $1`,
    [id],
  )
  type Row = {
    name: string
    folder: string
    original_folder: string | null
    direction: string
    is_read: boolean
    is_starred: boolean
  }
  const here = Map.groupBy(rows as Row[], ({ name }) => name)
  for (const [name, standings] of there) if (standings.length > 1) tally.doubled.push(`${name} there`)
  if (rows.length !== mails) tally.lost.push(`${rows.length} rows of ${mails}`)
  for (const [name, mine] of here) {
    const [row] = mine
    if (row === undefined) continue
    tally.ended[row.folder] = (tally.ended[row.folder] ?? 0) + 1
    if (mine.length > 1)
      tally.doubled.push(
        `${name} here: ${await placesOf(app, id, name)}; ${there.get(name)?.join(', ') ?? 'nowhere'} there`,
      )
    const away = row.folder === 'archived' || row.folder === 'trash'
    if (away && row.original_folder === null) tally.illegal += 1
    const [standing] = there.get(name) ?? []
    if (row.folder === 'deleted') {
      if (standing !== undefined) tally.differing.push(`${name}: deleted here, ${standing} there`)
      continue
    }
    const mineStands = `${row.folder} ${row.is_read} ${row.is_starred}`
    if (standing === undefined) tally.lost.push(`${name}: ${mineStands} here, nowhere there`)
    // The user's own mail is read here, whatever the server says.
    else if (standing !== mineStands && !(row.direction === 'out' && sameButRead(standing, mineStands)))
      tally.differing.push(`${name}: ${mineStands} here, ${standing} there`)
  }
  for (const name of there.keys()) if (!here.has(name)) tally.lost.push(`${name}: only there`)
  const waiting = await runSql(app.context.db, 'SELECT 1 FROM pending_actions WHERE user_id = $1', [id])
  tally.pending = waiting.rows.length
}

/** What is known here of a mail that has several rows: each with the folders that it is in on the server. */
async function placesOf(app: TestApp, id: number, name: string): Promise<string> {
  const { rows } = await runSql(
    app.context.db,
    `SELECT e.id, e.folder, e.created_at, (SELECT string_agg(l.path || ' ' || l.uid, ', ') FROM email_locations l
       WHERE l.user_id = e.user_id AND l.email_id = e.id) AS places
     FROM emails e WHERE e.user_id = $1 AND e.message_id = $2 ORDER BY e.id`,
    [id, name],
  )
  return JSON.stringify(rows)
}

function sameButRead(one: Standing, other: Standing): boolean {
  const [a, b] = [one.split(' '), other.split(' ')]
  return a[0] === b[0] && a[2] === b[2]
}
