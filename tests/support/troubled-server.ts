import { afterAll, afterEach, beforeAll } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { accountsWithDueDrafts } from '#server/mail/emails/sync/draft-appends-store.ts'
import { accountsWithDueActions } from '#server/mail/emails/sync/pending-actions-store.ts'
import { call } from './client.ts'
import { type HostileImap, type ImapScript, type ScriptedFolder, startHostileImap } from './hostile-imap.ts'
import { connectReader, listFolder, type Reader, readOnce } from './reading.ts'
import { startSmtpSink, type SmtpSink } from './smtp-sink.ts'
import { startTestApp, type TestApp } from './test-app.ts'

// A server in trouble: everything is read in the end, and meanwhile the page says what is wrong.

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

export let app: TestApp
let sink: SmtpSink
export const opened: HostileImap[] = []

/** Starts what the tests of one file need, and stops it after them. */
export function useTroubledServers(): void {
  beforeAll(async () => {
    sink = await startSmtpSink()
    app = await startTestApp({ roles: ['web'] })
  })
  afterEach(async () => {
    for (const server of opened.splice(0)) await server.stop()
  })
  afterAll(async () => {
    await app?.end()
    await sink?.stop()
  })
}

export type Owner = Reader & { far: HostileImap }

export const subjects = (count: number) => Array.from({ length: count }, (_, at) => `Report ${at + 1}`)

export async function ownerOf(
  folders: Record<string, ScriptedFolder>,
  script: ImapScript = () => false,
  capabilities = 'IMAP4rev1',
): Promise<Owner> {
  const far = await startHostileImap({ folders, script, capabilities })
  opened.push(far)
  const server = { ...far, username: 'ada', password: 'pass' }
  return { ...(await connectReader(app, server, 'ada@muster.example', sink.port)), far }
}

/** Reads the account as a worker does, whether or not the pass fails as a whole. */
export const readDespite = async (owner: Owner) => readOnce(app, owner).catch((error: Error) => error.message)
export const settings = async ({ token }: Owner) => (await call(app.url, mailboxes.get, { token })).body
export const sentences = async (owner: Owner) =>
  (await settings(owner)).troubles.map(({ sentence }) => sentence)
export const folder = async (owner: Owner, path: string) =>
  (await settings(owner)).folders.find((each) => each.path === path)
export const inbox = async (owner: Owner) => (await listFolder(app, owner)).map(({ subject }) => subject)
export const archive = async (owner: Owner) =>
  (await listFolder(app, owner, 'archived')).map(({ subject }) => subject)
export const saveDraft = ({ token }: Owner) =>
  call(app.url, emails.saveDraft, {
    token,
    body: { to: 'nina@far.example', subject: 'Draft', content: 'Half' },
  })
export const tryAgain = ({ token }: Owner) => call(app.url, emails.tryAgain, { token })
export const isDraftDue = async ({ id }: Owner) =>
  (await accountsWithDueDrafts(app.context.db, app.clock.now(), 100)).some(({ userId }) => userId === id)
export const isActionDue = async ({ id }: Owner) =>
  (await accountsWithDueActions(app.context.db, app.clock.now(), 100)).some(({ userId }) => userId === id)
export const sendMail = ({ token }: Owner) =>
  call(app.url, emails.send, { token, body: { to: 'nina@far.example', subject: 'Sent', content: 'Words' } })
/** The mail that was sent last. */
export const rawSent = () => sink.received.at(-1)?.raw.toString('latin1') ?? ''
/** Puts a message into a folder of the server as it is. */
export function file({ far }: Owner, path: string, raw: string): void {
  const into = far.folders.get(path)
  into?.mails.push({ uid: into.uidNext++, raw, flags: new Set() })
}
export const on =
  (names: string, answer: (...args: Parameters<ImapScript>) => void): ImapScript =>
  (command, reply) => {
    if (!names.split(' or ').includes(command.name)) return false
    answer(command, reply)
    return true
  }
export const isBody = (rest: string) => rest.includes('BODY.PEEK[]')

/** Whether a UID is in a set like "1:3,7". */
export const isAsked = (set: string, uid: number) =>
  set.split(',').some((part) => {
    const [from = 0, to = from] = part.split(':').map(Number)
    return from <= uid && uid <= to
  })

export const subjectsAt = ({ far }: Owner, path: string) =>
  far.folders.get(path)?.mails.map(({ raw }) => /Subject: (.*)\r/.exec(raw)?.[1])

export function renumber(folder: ScriptedFolder | undefined): void {
  for (const [at, mail] of folder?.mails.entries() ?? []) mail.uid = at + 1
  if (folder !== undefined) folder.uidNext = folder.mails.length + 1
}

/** A server that moves and removes mails; unless `renumbers` is false, UIDs in this folder are their places. */
export function withPlacesAsUids(far: HostileImap, path: string, renumbers = true): ImapScript {
  return ({ name, rest }, { ok }) => {
    if (name !== 'UID MOVE' && name !== 'UID EXPUNGE') return false
    const folder = far.folders.get(path)
    const gone = folder?.mails.filter(({ uid }) => isAsked(rest.split(' ')[0] ?? '', uid)) ?? []
    if (folder !== undefined) folder.mails = folder.mails.filter((mail) => !gone.includes(mail))
    if (renumbers) renumber(folder)
    if (name === 'UID MOVE')
      for (const { raw } of gone) far.put('Trash', /Subject: (.*)\r/.exec(raw)?.[1] ?? '')
    ok()
    return true
  }
}
