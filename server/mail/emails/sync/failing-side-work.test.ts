import { describe, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { call } from '../../../../tests/support/client.ts'
import { type ImapScript, scriptedFolder } from '../../../../tests/support/hostile-imap.ts'
import { listFolder, readOnce } from '../../../../tests/support/reading.ts'
import {
  SECOND,
  MINUTE,
  HOUR,
  app,
  ownerOf,
  settings,
  sentences,
  inbox,
  archive,
  saveDraft,
  tryAgain,
  isDraftDue,
  isActionDue,
  sendMail,
  rawSent,
  file,
  on,
  isAsked,
  subjectsAt,
  withPlacesAsUids,
  useTroubledServers,
} from '../../../../tests/support/troubled-server.ts'

useTroubledServers()

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
