import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { emails } from '#contract/emails.ts'
import { mailboxes } from '#contract/mailboxes.ts'
import { call } from '../../../tests/support/client.ts'
import {
  type HostileImap,
  type ImapScript,
  type ScriptedFolder,
  scriptedFolder,
  startHostileImap,
} from '../../../tests/support/hostile-imap.ts'
import { connectReader, listFolder, type Reader, readOnce } from '../../../tests/support/reading.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { runSql } from '../../database/transaction.ts'
import { accountsWithDueDrafts } from './draft-appends-store.ts'
import { accountsWithDueActions } from './pending-actions-store.ts'

// A server in trouble: everything is read in the end, and meanwhile the page says what is wrong.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

let app: TestApp
let sink: SmtpSink
const opened: HostileImap[] = []

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

type Owner = Reader & { far: HostileImap }

const subjects = (count: number) => Array.from({ length: count }, (_, at) => `Report ${at + 1}`)

async function ownerOf(
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
const readDespite = async (owner: Owner) => readOnce(app, owner).catch((error: Error) => error.message)
const settings = async ({ token }: Owner) => (await call(app.url, mailboxes.get, { token })).body
const sentences = async (owner: Owner) => (await settings(owner)).troubles.map(({ sentence }) => sentence)
const folder = async (owner: Owner, path: string) =>
  (await settings(owner)).folders.find((each) => each.path === path)
const inbox = async (owner: Owner) => (await listFolder(app, owner)).map(({ subject }) => subject)
const archive = async (owner: Owner) =>
  (await listFolder(app, owner, 'archived')).map(({ subject }) => subject)
const saveDraft = ({ token }: Owner) =>
  call(app.url, emails.saveDraft, {
    token,
    body: { to: 'nina@far.example', subject: 'Draft', content: 'Half' },
  })
const tryAgain = ({ token }: Owner) => call(app.url, emails.tryAgain, { token })
const isDraftDue = async ({ id }: Owner) =>
  (await accountsWithDueDrafts(app.context.db, app.clock.now(), 100)).some(({ userId }) => userId === id)
const isActionDue = async ({ id }: Owner) =>
  (await accountsWithDueActions(app.context.db, app.clock.now(), 100)).some(({ userId }) => userId === id)
const sendMail = ({ token }: Owner) =>
  call(app.url, emails.send, { token, body: { to: 'nina@far.example', subject: 'Sent', content: 'Words' } })
/** The mail that was sent last. */
const rawSent = () => sink.received.at(-1)?.raw.toString('latin1') ?? ''
/** Puts a message into a folder of the server as it is. */
function file({ far }: Owner, path: string, raw: string): void {
  const into = far.folders.get(path)
  into?.mails.push({ uid: into.uidNext++, raw, flags: new Set() })
}
const on =
  (names: string, answer: (...args: Parameters<ImapScript>) => void): ImapScript =>
  (command, reply) => {
    if (!names.split(' or ').includes(command.name)) return false
    answer(command, reply)
    return true
  }
const isBody = (rest: string) => rest.includes('BODY.PEEK[]')

/** Whether a UID is in a set like "1:3,7". */
const isAsked = (set: string, uid: number) =>
  set.split(',').some((part) => {
    const [from = 0, to = from] = part.split(':').map(Number)
    return from <= uid && uid <= to
  })

const subjectsAt = ({ far }: Owner, path: string) =>
  far.folders.get(path)?.mails.map(({ raw }) => /Subject: (.*)\r/.exec(raw)?.[1])

function renumber(folder: ScriptedFolder | undefined): void {
  for (const [at, mail] of folder?.mails.entries() ?? []) mail.uid = at + 1
  if (folder !== undefined) folder.uidNext = folder.mails.length + 1
}

/** A server that moves and removes mails; unless `renumbers` is false, UIDs in this folder are their places. */
function withPlacesAsUids(far: HostileImap, path: string, renumbers = true): ImapScript {
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

describe('side work that fails', () => {
  const refusesAppend = (words: string): ImapScript =>
    on('APPEND', ({ tag }, { line }) => line(`${tag} ${words}`))

  test('APPEND that fails stops no reading, is told, and is tried again', async () => {
    const owner = await ownerOf({
      INBOX: scriptedFolder(['one']),
      Drafts: scriptedFolder([], '\\Drafts'),
      Kunden: scriptedFolder(),
    })
    await saveDraft(owner)
    for (const words of ['BAD Command Argument Error. 11', 'NO [OVERQUOTA] The mailbox is full']) {
      owner.far.setScript(refusesAppend(words))
      owner.far.put('INBOX', `in INBOX despite ${words}`)
      owner.far.put('Kunden', `in Kunden despite ${words}`)
      app.clock.forward(2 * MINUTE)
      await readOnce(app, owner)
      expect(await inbox(owner)).toContain(`in INBOX despite ${words}`)
      expect(await archive(owner)).toContain(`in Kunden despite ${words}`)
      const told = (await sentences(owner)).join(' ')
      expect(told).toMatch(/could not be stored on the server: ./)
      expect(told).toContain(words.replace(/^\w+ ?(\[\w+\] )?/, ''))
    }
    owner.far.setScript(() => false)
    app.clock.forward(6 * MINUTE)
    await readOnce(app, owner)
    expect(owner.far.folders.get('Drafts')?.mails).toHaveLength(1)
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('a draft that is discarded is no trouble any more', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one']), Drafts: scriptedFolder([], '\\Drafts') },
      refusesAppend('NO Not this one'),
    )
    const draft = await saveDraft(owner)
    app.clock.forward(11 * SECOND)
    await readOnce(app, owner)
    expect(await sentences(owner)).toEqual(['The draft could not be stored on the server: Not this one'])
    await call(app.url, emails.discard, { token: owner.token, params: { id: draft.body.id } })
    await readOnce(app, owner)
    expect(await sentences(owner)).toEqual([])
  })

  test('a refused draft that is changed is stored soon, however often it was refused before', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one']), Drafts: scriptedFolder([], '\\Drafts') },
      refusesAppend('NO Not this one'),
    )
    const { id } = (await saveDraft(owner)).body
    for (const pause of [11 * SECOND, 2 * MINUTE, 6 * MINUTE]) {
      app.clock.forward(pause)
      await readOnce(app, owner)
    }
    const body = { to: 'nina@far.example', subject: 'Draft', content: 'Whole' }
    await call(app.url, emails.update, { token: owner.token, params: { id }, body })
    app.clock.forward(11 * SECOND)
    await readOnce(app, owner)
    // The pauses start again.
    const [trouble] = (await settings(owner)).troubles
    expect(trouble?.sentence).toBe('The draft could not be stored on the server: Not this one')
    expect(Date.parse(trouble?.next_try_at ?? '')).toBeLessThanOrEqual(app.clock.now().getTime() + MINUTE)
    owner.far.setScript(() => false)
    await call(app.url, emails.update, { token: owner.token, params: { id }, body })
    app.clock.forward(11 * SECOND)
    await readOnce(app, owner)
    expect(owner.far.folders.get('Drafts')?.mails).toHaveLength(1)
    expect(await sentences(owner)).toEqual([])
  })

  test('CREATE refused stops no reading, for Drafts and for Sent', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one']), Kunden: scriptedFolder(['in Kunden']) },
      on('CREATE', (_, { no }) => no('[NOPERM] Permission denied')),
    )
    await readOnce(app, owner)
    expect((await sendMail(owner)).status).toBe(200)
    await saveDraft(owner)
    app.clock.forward(11 * SECOND)
    owner.far.put('Kunden', 'new in Kunden')
    await readOnce(app, owner)
    expect(await archive(owner)).toContain('new in Kunden')
    expect((await sentences(owner)).toSorted()).toEqual([
      'Copies of sent emails could not be stored on the server: Permission denied',
      'Drafts could not be stored on the server: Permission denied',
    ])
    // Nothing wakes the workers before it is due.
    expect(await isDraftDue(owner)).toBe(false)
    await tryAgain(owner)
    expect(await isDraftDue(owner)).toBe(true)
    await readOnce(app, owner)
    expect(await sentences(owner)).toHaveLength(2)
    owner.far.setScript(() => false)
    await tryAgain(owner)
    await readOnce(app, owner)
    expect(owner.far.folders.get('Sent')?.mails).toHaveLength(1)
    expect(owner.far.folders.get('Drafts')?.mails).toHaveLength(1)
    expect(await sentences(owner)).toEqual([])
  })

  test('a copy for Sent that is refused is told and stored later, once', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one']), Sent: scriptedFolder([], '\\Sent') },
      refusesAppend('NO Message too large'),
    )
    await sendMail(owner)
    app.clock.forward(11 * SECOND)
    await readOnce(app, owner)
    expect(await sentences(owner)).toEqual([
      'The copy of a sent email could not be stored on the server: Message too large',
    ])
    owner.far.setScript(() => false)
    await readOnce(app, owner)
    expect(owner.far.folders.get('Sent')?.mails).toHaveLength(0)
    await tryAgain(owner)
    await readOnce(app, owner)
    await readOnce(app, owner)
    expect(owner.far.folders.get('Sent')?.mails).toHaveLength(1)
    expect(await sentences(owner)).toEqual([])
  })

  test('a copy for Sent that was refused and that the provider files after all is no trouble any more', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one']), Sent: scriptedFolder([], '\\Sent') },
      refusesAppend('NO Message too large'),
    )
    await sendMail(owner)
    await sendMail(owner)
    app.clock.forward(11 * SECOND)
    await readOnce(app, owner)
    expect(await sentences(owner)).toEqual([
      'Copies of 2 sent emails could not be stored on the server: Message too large',
    ])
    file(owner, 'Sent', rawSent())
    await tryAgain(owner)
    await readOnce(app, owner)
    expect(await sentences(owner)).toEqual([
      'The copy of a sent email could not be stored on the server: Message too large',
    ])
  })

  test('an action that the server does not carry out now stops no reading and is not overwritten', async () => {
    const owner = await ownerOf({ INBOX: scriptedFolder(['one']) })
    await readOnce(app, owner)
    const [mail] = await listFolder(app, owner)
    await call(app.url, emails.markRead, { token: owner.token, params: { id: mail?.id ?? 0 } })
    owner.far.setScript(on('UID STORE', (_, { no }) => no('[UNAVAILABLE] Storage is being moved')))
    owner.far.put('INBOX', 'two')
    await readOnce(app, owner)
    expect(await inbox(owner)).toContain('two')
    expect(await sentences(owner)).toEqual([
      'Your changes to 1 email in INBOX could not be made on the server: Storage is being moved',
    ])
    expect((await listFolder(app, owner)).find(({ subject }) => subject === 'one')?.isRead).toBe(true)
    expect(await isActionDue(owner)).toBe(false)
    for (let times = 0; times < 3; times += 1) {
      await tryAgain(owner)
      expect(await isActionDue(owner)).toBe(true)
      await readOnce(app, owner)
      expect(await sentences(owner)).toHaveLength(1)
    }
    owner.far.setScript(() => false)
    await tryAgain(owner)
    await readOnce(app, owner)
    expect(owner.far.folders.get('INBOX')?.mails[0]?.flags).toContain('\\Seen')
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('one email that the server wants to move later holds up no other change', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one', 'two', 'three', 'four']), Trash: scriptedFolder([], '\\Trash') },
      () => false,
      'IMAP4rev1 MOVE UIDPLUS',
    )
    const others = withPlacesAsUids(owner.far, 'INBOX', false)
    owner.far.setScript((command, reply) => {
      if (command.name !== 'UID MOVE' || !isAsked(command.rest.split(' ')[0] ?? '', 1))
        return others(command, reply)
      reply.no('[SERVERBUG] Internal error occurred')
      return true
    })
    await readOnce(app, owner)
    const ids = (await listFolder(app, owner)).map(({ id }) => id)
    await call(app.url, emails.act, { token: owner.token, body: { action: 'trash', ids } })
    await readOnce(app, owner)
    expect(subjectsAt(owner, 'Trash')?.toSorted()).toEqual(['four', 'three', 'two'])
    expect((await settings(owner)).last_error).toContain('Internal error occurred')
    app.clock.forward(HOUR)
    owner.far.setScript(others)
    await readOnce(app, owner)
    expect(subjectsAt(owner, 'Trash')).toHaveLength(4)
  })

  test('a full mailbox holds up only the drafts that do not fit', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one']), Drafts: scriptedFolder([], '\\Drafts') },
      ({ name, literal }, { no }) =>
        name === 'APPEND' && literal.includes('Half') && (no('[OVERQUOTA] The mailbox is full'), true),
    )
    for (let count = 0; count < 4; count += 1) await saveDraft(owner)
    const fits = { to: 'nina@far.example', subject: 'Fits', content: 'Short' }
    await call(app.url, emails.saveDraft, { token: owner.token, body: fits })
    app.clock.forward(11 * SECOND)
    await readOnce(app, owner)
    expect(subjectsAt(owner, 'Drafts')).toEqual(['Fits'])
  })

  test('a draft whose older copy cannot be removed is stored once for each version', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one']), Drafts: scriptedFolder([], '\\Drafts') },
      on('UID STORE', (_, { no }) => no('Not permitted')),
    )
    const { id } = (await saveDraft(owner)).body
    app.clock.forward(11 * SECOND)
    await readOnce(app, owner)
    await call(app.url, emails.update, { token: owner.token, params: { id }, body: { content: 'More' } })
    for (let pass = 0; pass < 3; pass += 1) {
      app.clock.forward(HOUR)
      await readOnce(app, owner)
    }
    expect(subjectsAt(owner, 'Drafts')).toEqual(['Draft', 'Draft'])
    expect(await listFolder(app, owner, 'drafts')).toHaveLength(1)
    expect(await sentences(owner)).toEqual(['The draft could not be stored on the server: Not permitted'])
  })

  test('flags that the server does not tell hold up no new mail', async () => {
    const owner = await ownerOf({ INBOX: scriptedFolder(['one']) }, ({ name, rest }, { no }) => {
      return name === 'UID FETCH' && rest.includes('(UID FLAGS)') && (no('Cannot do that'), true)
    })
    await readOnce(app, owner)
    owner.far.put('INBOX', 'two')
    await readOnce(app, owner)
    expect(await inbox(owner)).toContain('two')
    expect(await sentences(owner)).toEqual([
      'Changes from your other email apps in INBOX could not be read: Cannot do that',
    ])
    owner.far.setScript(() => false)
    app.clock.forward(2 * MINUTE)
    await readOnce(app, owner)
    expect(await sentences(owner)).toEqual([])
  })

  test('changes since the last pass that the server does not tell are asked for again', async () => {
    let [modSeq, isRefused] = [10, true]
    const script: ImapScript = ({ name, rest }, { line, no }) => {
      if (name === 'ENABLE') line('* ENABLED CONDSTORE')
      if (name === 'EXAMINE') line(`* OK [HIGHESTMODSEQ ${modSeq}] counted`)
      return rest.includes('CHANGEDSINCE') && isRefused && (no('Not now'), true)
    }
    const owner = await ownerOf({ INBOX: scriptedFolder(['one']) }, script, 'IMAP4rev1 ENABLE CONDSTORE')
    await readOnce(app, owner)
    modSeq = 20
    const [mail] = owner.far.folders.get('INBOX')?.mails ?? []
    mail?.flags.add('\\Seen')
    owner.far.put('INBOX', 'two')
    await readOnce(app, owner)
    expect(await inbox(owner)).toContain('two')
    expect(await sentences(owner)).toEqual([
      'Changes from your other email apps in INBOX could not be read: Not now',
    ])
    isRefused = false
    app.clock.forward(2 * MINUTE)
    await readOnce(app, owner)
    const one = (await listFolder(app, owner)).find(({ subject }) => subject === 'one')
    expect(one?.isRead).toBe(true)
    expect(await sentences(owner)).toEqual([])
  })

  test('where the folders cannot be listed, the known ones are read', async () => {
    const owner = await ownerOf({ INBOX: scriptedFolder(['one']), Kunden: scriptedFolder(['two']) })
    await readOnce(app, owner)
    owner.far.setScript((command, { no }) => {
      if (command.name !== 'LIST' || !command.rest.includes('*')) return false
      no('LIST is broken')
      return true
    })
    owner.far.put('Kunden', 'three')
    await readOnce(app, owner)
    expect(await archive(owner)).toContain('three')
    expect(await sentences(owner)).toEqual(['The list of folders could not be read: LIST is broken'])
  })
})

describe('later is not never', () => {
  /** Hands over so many messages, then refuses with these words, or says BYE and hangs up. */
  function limited(count: number, words: string) {
    const limit = { left: count }
    const script: ImapScript = ({ name, rest, tag }, { line, raw, cut }) => {
      const far = opened.at(-1)
      if (name !== 'UID FETCH' || !isBody(rest) || far === undefined) return false
      const mails = far.folders.get('INBOX')?.mails ?? []
      const wanted = mails.filter(({ uid }) => isAsked(rest.split(' ')[0] ?? '', uid))
      for (const { uid, raw: bytes } of wanted) {
        if (limit.left-- <= 0) {
          if (!words.startsWith('BYE')) return (line(`${tag} ${words}`), true)
          line(`* ${words}`)
          return (cut(), true)
        }
        const part = bytes.slice(0, Number(/<0\.(\d+)>/.exec(rest)?.[1] ?? bytes.length))
        raw(
          `* ${uid} FETCH (UID ${uid} FLAGS () RFC822.SIZE ${bytes.length} BODY[]<0> {${part.length}}\r\n${part})\r\n`,
        )
      }
      line(`${tag} OK done`)
      return true
    }
    return { limit, script }
  }
  test.each([
    'BAD Request is throttled. Suggested Backoff Time: 5000 milliseconds',
    'NO Computer says no',
    'BYE Too many simultaneous connections',
  ])('%s after 12 of 30: the others come when it is over, and the page says it', async (words) => {
    const { limit, script } = limited(12, words)
    const owner = await ownerOf({ INBOX: scriptedFolder(subjects(30)) }, script)
    await readDespite(owner)
    expect(await inbox(owner)).toHaveLength(12)
    expect((await settings(owner)).last_error).toContain(words.replace(/^\w+ /, ''))
    await readDespite(owner)
    await readDespite(owner)
    expect(await folder(owner, 'INBOX')).toMatchObject({ behind: 18, quarantined: 0 })
    limit.left = Infinity
    await readOnce(app, owner)
    expect(await inbox(owner)).toHaveLength(30)
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('what is put aside is counted with its reason, and read after an hour', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(subjects(5)) },
      (command, { no }) =>
        command.name === 'UID FETCH' &&
        isBody(command.rest) &&
        isAsked(command.rest.split(' ')[0] ?? '', 3) &&
        (no('This message is broken'), true),
    )
    await readOnce(app, owner)
    expect(await inbox(owner)).toHaveLength(4)
    expect(await folder(owner, 'INBOX')).toMatchObject({
      quarantined: 1,
      quarantine_reason: 'This message is broken',
    })
    expect((await settings(owner)).last_error).toBe(
      '1 email in INBOX could not be read yet. This message is broken',
    )
    const asked = () =>
      owner.far.commands.filter(({ name, rest }) => name === 'UID FETCH' && isBody(rest)).length
    app.clock.forward(MINUTE)
    await readOnce(app, owner)
    const before = asked()
    await readOnce(app, owner)
    // Until it is due it costs nothing.
    expect(asked()).toBe(before)
    owner.far.setScript(() => false)
    app.clock.forward(HOUR + SECOND)
    await readOnce(app, owner)
    expect(await inbox(owner)).toHaveLength(5)
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('an email that was listed before it was refused is read after an hour', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one']), Kunden: scriptedFolder(subjects(25)) },
      (command, { no }) =>
        command.name === 'UID FETCH' &&
        isBody(command.rest) &&
        isAsked(command.rest.split(' ')[0] ?? '', 25) &&
        (no('This message is broken'), true),
    )
    await readOnce(app, owner)
    expect(await archive(owner)).toHaveLength(25)
    expect((await settings(owner)).last_error).toBe(
      '1 email in Kunden could not be read yet. This message is broken',
    )
    owner.far.setScript(() => false)
    app.clock.forward(HOUR + SECOND)
    await readOnce(app, owner)
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('many refused ones at the beginning of a folder hide none of the others', async () => {
    const owner = await ownerOf({ INBOX: scriptedFolder(subjects(12)) }, (command, { no }) => {
      const [set = ''] = command.rest.split(' ')
      if (command.name !== 'UID FETCH' || !isBody(command.rest)) return false
      return [1, 2, 3, 4, 5, 6, 7].some((uid) => isAsked(set, uid)) && (no('Message is corrupt'), true)
    })
    await readOnce(app, owner)
    expect(await inbox(owner)).toHaveLength(5)
    expect(await folder(owner, 'INBOX')).toMatchObject({ quarantined: 7 })
  })

  test('the button tries again at once what was put aside', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one', '', 'three']) },
      (command, { no }) =>
        command.name === 'UID FETCH' &&
        isBody(command.rest) &&
        isAsked(command.rest.split(' ')[0] ?? '', 2) &&
        (no('Broken'), true),
    )
    await readOnce(app, owner)
    owner.far.setScript(() => false)
    await tryAgain(owner)
    await readOnce(app, owner)
    expect(await inbox(owner)).toHaveLength(3)
  })

  test.each([
    ['Some messages could not be FETCHed', 25],
    ['[LIMIT] Rate limit reached, try again later', 10],
  ])('an envelope answered by %s after ten of 25: what came stays', async (words, count) => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one']), Kunden: scriptedFolder(subjects(25)) },
      (command, { raw, no }) => {
        if (command.name !== 'UID FETCH' || !command.rest.includes('ENVELOPE')) return false
        for (let uid = 1; uid <= 10; uid += 1)
          raw(
            `* ${uid} FETCH (UID ${uid} FLAGS () INTERNALDATE "01-Jan-2026 10:00:00 +0000" RFC822.SIZE 9 ENVELOPE (NIL "Report ${uid}" NIL NIL NIL NIL NIL NIL NIL "<Report.${uid}@test>"))\r\n`,
          )
        no(words)
        return true
      },
    )
    await readOnce(app, owner)
    expect(await archive(owner)).toHaveLength(count)
    owner.far.setScript(() => false)
    await readOnce(app, owner)
    expect((await archive(owner)).toSorted()).toEqual(subjects(25).toSorted())
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('a folder in use is read later, and holds up no other', async () => {
    const owner = await ownerOf({
      INBOX: scriptedFolder(['one']),
      Kunden: { ...scriptedFolder(['two']), refuses: '[INUSE] Mailbox is locked by POP3 session' },
      Offers: scriptedFolder(['three']),
    })
    await readOnce(app, owner)
    expect(await archive(owner)).toEqual(['three'])
    expect((await settings(owner)).last_error).toContain('Mailbox is locked by POP3 session')
    const kunden = owner.far.folders.get('Kunden')
    if (kunden !== undefined) kunden.refuses = null
    await readOnce(app, owner)
    expect((await archive(owner)).toSorted()).toEqual(['three', 'two'])
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('a folder at which the server hangs up holds up no other, and is tried again later', async () => {
    const owner = await ownerOf(
      {
        INBOX: scriptedFolder(['one']),
        Archive: scriptedFolder(['two'], '\\Archive'),
        Kunden: scriptedFolder(['three']),
      },
      ({ name, rest }, { line, cut }) => {
        if (name !== 'EXAMINE' || !rest.includes('Archive')) return false
        line('* BYE Internal server error')
        cut()
        return true
      },
    )
    await readOnce(app, owner)
    expect(await archive(owner)).toEqual(['three'])
    expect((await settings(owner)).last_error).toMatch(/^The folder Archive cannot be read. ./)
    // Once may have been chance.
    await readOnce(app, owner)
    const asked = () => owner.far.commands.filter(({ rest }) => rest.includes('Archive')).length
    const before = asked()
    await readOnce(app, owner)
    expect(asked()).toBe(before)
    owner.far.setScript(() => false)
    app.clock.forward(2 * MINUTE)
    await readOnce(app, owner)
    expect((await archive(owner)).toSorted()).toEqual(['three', 'two'])
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('a folder that is never opened does not keep deletions from being followed', async () => {
    const shared = { ...scriptedFolder(['two']), refuses: '[NOPERM] Access denied' }
    const owner = await ownerOf({ INBOX: scriptedFolder(subjects(2)), Shared: shared })
    await readOnce(app, owner)
    owner.far.folders.get('INBOX')?.mails.shift()
    for (let pass = 0; pass < 4; pass += 1) await readOnce(app, owner)
    expect(await inbox(owner)).toHaveLength(2)
    app.clock.forward(11 * MINUTE)
    await readOnce(app, owner)
    expect(await inbox(owner)).toEqual(['Report 2'])
  })

  test('an inbox that is refused holds up no other folder', async () => {
    const owner = await ownerOf({
      INBOX: { ...scriptedFolder(['one']), refuses: '[SERVERBUG] Internal error occurred' },
      Kunden: scriptedFolder(['two']),
    })
    expect(await readDespite(owner)).toContain('Internal error occurred')
    expect(await archive(owner)).toEqual(['two'])
    expect(await folder(owner, 'INBOX')).toMatchObject({ last_error: 'Internal error occurred' })
  })
})

describe('answers that are missing or wrong', () => {
  const saying = (name: string, changes: Partial<ScriptedFolder>) => ({
    ...scriptedFolder(subjects(3).map((subject) => `${name} ${subject}`)),
    ...changes,
  })

  test('UIDNEXT and UIDVALIDITY: everything is read, and what comes later, too, once', async () => {
    const folders = {
      INBOX: saying('INBOX', { says: { uidNext: null } }),
      Zero: saying('Zero', { says: { uidNext: 0 } }),
      One: saying('One', { says: { uidNext: 1 }, statusSays: { uidNext: 1 } }),
      Stale: saying('Stale', { says: { uidNext: 3 } }),
      Unlasting: saying('Unlasting', { says: { uidValidity: null } }),
      Neither: saying('Neither', { says: { uidValidity: null, uidNext: null } }),
    }
    const owner = await ownerOf(folders)
    const names = Object.keys(folders)
    const told = (also: string[]) =>
      names.flatMap((name) => [...subjects(3), ...also].map((subject) => `${name} ${subject}`)).toSorted()
    const all = async () => [...(await inbox(owner)), ...(await archive(owner))].toSorted()
    await readOnce(app, owner)
    expect(await all()).toEqual(told([]))
    for (const name of names) owner.far.put(name, `${name} new`)
    await readOnce(app, owner)
    await readOnce(app, owner)
    expect(await all()).toEqual(told(['new']))
    expect((await settings(owner)).last_error).toBeNull()
  })

  test.each([6, 1000])('UIDNEXT %i for good: one mail comes while another is deleted', async (uidNext) => {
    const says = { uidNext }
    const owner = await ownerOf({ INBOX: { ...scriptedFolder(subjects(5)), says, statusSays: says } })
    await readOnce(app, owner)
    owner.far.put('INBOX', 'new')
    owner.far.folders.get('INBOX')?.mails.shift()
    await readOnce(app, owner)
    await readOnce(app, owner)
    expect((await inbox(owner)).toSorted()).toEqual([...subjects(5).slice(1), 'new'])
  })

  test('another UIDVALIDITY at each look: everything is read, once', async () => {
    const folders = { INBOX: scriptedFolder(subjects(3)), Kunden: scriptedFolder(['four', 'five']) }
    const owner = await ownerOf(folders, ({ name }) => {
      if (name === 'EXAMINE') for (const each of Object.values(folders)) each.uidValidity += 1
      return false
    })
    for (let pass = 0; pass < 3; pass += 1) await readOnce(app, owner)
    expect((await archive(owner)).toSorted()).toEqual(['five', 'four'])
    owner.far.put('Kunden', 'new')
    await readOnce(app, owner)
    expect((await archive(owner)).toSorted()).toEqual(['five', 'four', 'new'])
    expect((await inbox(owner)).toSorted()).toEqual(subjects(3))
  })

  test('without UIDVALIDITY, UIDs that were given away again lose and double nothing', async () => {
    const owner = await ownerOf({ INBOX: { ...scriptedFolder(subjects(3)), says: { uidValidity: null } } })
    await readOnce(app, owner)
    const far = owner.far.folders.get('INBOX')
    // The server renumbers its messages after the first is gone.
    if (far !== undefined) {
      far.mails.shift()
      for (const [at, mail] of far.mails.entries()) mail.uid = at + 1
      far.uidNext = 3
    }
    owner.far.put('INBOX', 'new')
    for (let pass = 0; pass < 4; pass += 1) await readOnce(app, owner)
    expect((await inbox(owner)).filter((subject) => subject !== 'Report 1').toSorted()).toEqual([
      'Report 2',
      'Report 3',
      'new',
    ])
  })

  test.each([
    ['moved', 'INBOX', 'trash'],
    ['deleted for good', 'Trash', 'delete'],
  ] as const)(
    'without UIDVALIDITY, where every removal gives the UIDs away again, only what was chosen is %s',
    async (_name, path, action) => {
      const owner = await ownerOf(
        {
          INBOX: scriptedFolder(),
          Trash: scriptedFolder([], '\\Trash'),
          [path]: {
            ...scriptedFolder('ABCDEF'.split(''), path === 'INBOX' ? '' : '\\Trash'),
            says: { uidValidity: null },
          },
        },
        () => false,
        'IMAP4rev1 MOVE UIDPLUS',
      )
      owner.far.setScript(withPlacesAsUids(owner.far, path))
      await readOnce(app, owner)
      const mails = await listFolder(app, owner, path === 'INBOX' ? 'inbox' : 'trash')
      owner.far.folders.get(path)?.mails.shift()
      renumber(owner.far.folders.get(path))
      const ids = mails.filter(({ subject }) => 'CD'.includes(subject)).map(({ id }) => id)
      await call(app.url, emails.act, { token: owner.token, body: { action: 'star', ids } })
      await call(app.url, emails.act, { token: owner.token, body: { action, ids } })
      for (let pass = 0; pass < 4; pass += 1) {
        app.clock.forward(MINUTE)
        await readOnce(app, owner)
      }
      expect(subjectsAt(owner, path)).toEqual(['B', 'E', 'F'])
      if (path === 'INBOX') expect(subjectsAt(owner, 'Trash')).toEqual(['C', 'D'])
      const starred = owner.far.folders.get(path)?.mails.filter(({ flags }) => flags.has('\\Flagged'))
      expect(starred).toEqual([])
    },
  )

  test('without UIDVALIDITY, nothing is read twice: no mail without an id, with an odd one, nor a copy in Sent', async () => {
    const owner = await ownerOf({
      INBOX: scriptedFolder(['one']),
      Scans: { ...scriptedFolder(), says: { uidValidity: null } },
      Odd: { ...scriptedFolder(), says: { uidValidity: null } },
      Sent: { ...scriptedFolder([], '\\Sent'), says: { uidValidity: null } },
    })
    for (const page of ['1', '2']) file(owner, 'Scans', `Subject: Page ${page}\r\n\r\n${page}`)
    file(owner, 'Odd', 'Subject: Odd\r\nMessage-ID: <one@far.example> <two@far.example>\r\n\r\nOdd')
    await sendMail(owner)
    file(
      owner,
      'Sent',
      rawSent().replace(
        /^Message-ID:/im,
        'Message-ID: <own@provider.example>\r\nX-Microsoft-Original-Message-ID:',
      ),
    )
    await readOnce(app, owner)
    await readOnce(app, owner)
    expect(await archive(owner)).toHaveLength(3)
    expect(await listFolder(app, owner, 'sent')).toHaveLength(1)
    const read = () => owner.far.commands.filter(({ name, rest }) => name === 'UID FETCH' && isBody(rest))
    const before = read().length
    await readOnce(app, owner)
    await readOnce(app, owner)
    expect(read().slice(before)).toEqual([])
  })

  test('folders that are refused at once are listed with their reasons', async () => {
    const utf7 = '[CANNOT] Invalid modified UTF-7 name'
    const owner = await ownerOf({
      INBOX: scriptedFolder(['one']),
      'dovecot.sieve': { ...scriptedFolder(['in it']), refuses: "Mailbox isn't a valid mbox file" },
      Odd: { ...scriptedFolder(['in it']), refuses: utf7 },
      Kunden: scriptedFolder(['two']),
    })
    await readOnce(app, owner)
    expect(await archive(owner)).toEqual(['two'])
    const reasons = [
      ['dovecot.sieve', "Mailbox isn't a valid mbox file"],
      ['Odd', 'Invalid modified UTF-7 name'],
    ] as const
    for (const [path, said] of reasons)
      expect(await folder(owner, path)).toMatchObject({ last_error: said, last_read_at: null })
    const sentences = reasons.map(([path, said]) => `The folder ${path} cannot be read. ${said}`)
    expect(sentences).toContain((await settings(owner)).last_error)
  })

  test('mails that the server counts and does not list are told, and read when it lists them', async () => {
    const owner = await ownerOf({ INBOX: scriptedFolder(['one']), Kunden: scriptedFolder(subjects(10)) })
    const far = owner.far.folders.get('Kunden')
    const hidden = far?.mails.splice(4, 3) ?? []
    if (far !== undefined) far.says = { exists: 10 }
    await readOnce(app, owner)
    expect(await archive(owner)).toHaveLength(7)
    expect((await settings(owner)).last_error).toBe('3 of 10 emails in Kunden could not be read yet.')
    far?.mails.splice(4, 0, ...hidden)
    app.clock.forward(MINUTE)
    await readOnce(app, owner)
    await readOnce(app, owner)
    expect(await archive(owner)).toHaveLength(10)
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('a FETCH that brings nothing is no empty folder', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(['one', 'two']), Kunden: scriptedFolder(['three']) },
      (command, { ok }) => command.name === 'UID FETCH' && isBody(command.rest) && (ok(), true),
    )
    await readDespite(owner)
    expect(await folder(owner, 'INBOX')).toMatchObject({ quarantined: 0 })
    expect((await settings(owner)).last_error).toContain('did not return this message')
    owner.far.setScript(() => false)
    await readOnce(app, owner)
    expect(await inbox(owner)).toHaveLength(2)
    expect(await archive(owner)).toHaveLength(1)
  })
})

describe('a folder that is suddenly empty', () => {
  test('its emails stay, the page says it, and all is well when they are back', async () => {
    const owner = await ownerOf({ INBOX: scriptedFolder(subjects(3)), Kunden: scriptedFolder(['one']) })
    await readOnce(app, owner)
    const far = [...owner.far.folders.values()]
    const mails = far.map((each) => each.mails.splice(0))
    // One of them has forgotten all UIDs, too.
    for (const each of far.slice(1)) each.says = { uidNext: 1 }
    for (let pass = 0; pass < 3; pass += 1) {
      app.clock.forward(MINUTE)
      await readOnce(app, owner)
    }
    expect(await inbox(owner)).toHaveLength(3)
    expect(await archive(owner)).toHaveLength(1)
    expect((await sentences(owner)).toSorted()).toEqual([
      'The server says INBOX is empty, but it had 3 emails. Howl keeps showing them for now; if the folder stays empty for 10 minutes, they disappear here too.',
      'The server says Kunden is empty, but it had 1 email. Howl keeps showing it for now; if the folder stays empty for 10 minutes, it disappears here too.',
    ])
    for (const [at, each] of far.entries()) {
      each.says = {}
      each.mails.push(...(mails[at] ?? []))
    }
    await readOnce(app, owner)
    expect(await inbox(owner)).toHaveLength(3)
    expect(await archive(owner)).toHaveLength(1)
    expect((await settings(owner)).last_error).toBeNull()
    const { rows } = await runSql(app.context.db, 'SELECT id FROM emails WHERE user_id = $1', [owner.id])
    expect(rows).toHaveLength(4)
  })

  test('is believed after a while', async () => {
    const owner = await ownerOf({ INBOX: scriptedFolder(subjects(3)) })
    await readOnce(app, owner)
    owner.far.folders.get('INBOX')?.mails.splice(0)
    await readOnce(app, owner)
    app.clock.forward(11 * MINUTE)
    await readOnce(app, owner)
    await readOnce(app, owner)
    expect(await inbox(owner)).toEqual([])
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('is no wonder when its emails were moved', async () => {
    const owner = await ownerOf({ INBOX: scriptedFolder(subjects(2)), Kunden: scriptedFolder() })
    await readOnce(app, owner)
    for (const { raw } of owner.far.folders.get('INBOX')?.mails.splice(0) ?? [])
      owner.far.put('Kunden', /Subject: (.*)/.exec(raw)?.[1]?.trim() ?? '')
    await readOnce(app, owner)
    expect(await inbox(owner)).toEqual([])
    expect(await archive(owner)).toHaveLength(2)
    expect((await settings(owner)).last_error).toBeNull()
  })
})
