import { describe, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { call } from '../../../../tests/support/client.ts'
import { type ImapScript, scriptedFolder } from '../../../../tests/support/hostile-imap.ts'
import { listFolder, readOnce } from '../../../../tests/support/reading.ts'
import {
  MINUTE,
  SECOND,
  type Owner,
  app,
  subjects,
  ownerOf,
  readDespite,
  settings,
  folder,
  inbox,
  archive,
  on,
  sendMail,
  sentences,
  tryAgain,
  useTroubledServers,
} from '../../../../tests/support/troubled-server.ts'

useTroubledServers()

describe('a folder that cannot be read', () => {
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
})

describe('a folder with an unusual name', () => {
  const NAMESPACES =
    '* NAMESPACE (("INBOX/" "/")("mine/" "/")) (("user/" "/")) (("shared/" "/")("&APY-/" "/"))'
  const namespaces = on('NAMESPACE', (_, { line, ok }) => {
    line(NAMESPACES)
    ok()
  })

  test('beside the personal prefix is read, one of other people is not, and new folders are made inside', async () => {
    const owner = await ownerOf(
      {
        INBOX: scriptedFolder(['one']),
        'INBOX/Kunden': scriptedFolder(['two']),
        'mine/Offers': scriptedFolder(['three']),
        Beside: scriptedFolder(['four']),
        'shared/info': scriptedFolder(['theirs']),
        'shared/Sent': scriptedFolder([], '\\Sent'),
        '&APY-/all': scriptedFolder(['everybody']),
        'user/bob': scriptedFolder(['of Bob']),
        user: scriptedFolder(['of all']),
      },
      namespaces,
      'IMAP4rev1 NAMESPACE SPECIAL-USE',
    )
    await readOnce(app, owner)
    expect((await archive(owner)).toSorted()).toEqual(['four', 'three', 'two'])
    const paths = (await settings(owner)).folders.map(({ path }) => path)
    expect(paths.toSorted()).toEqual(['Beside', 'INBOX', 'INBOX/Kunden', 'mine/Offers'])
    await sendMail(owner)
    app.clock.forward(11 * SECOND)
    await readOnce(app, owner)
    expect(owner.far.folders.get('INBOX/Sent')?.mails).toHaveLength(1)
    expect(owner.far.folders.get('shared/Sent')?.mails).toEqual([])
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('in a personal namespace that is listed only by its name is read', async () => {
    const owner = await ownerOf(
      {
        INBOX: scriptedFolder(['one']),
        'INBOX/Kunden': scriptedFolder(['two']),
        'INBOX/Sent': scriptedFolder(['three'], '\\Sent'),
        'user/bob': scriptedFolder(['of Bob']),
      },
      (command, reply) => {
        if (command.name === 'LIST' && command.rest.startsWith('"mine/"'))
          return (reply.no('Unavailable'), true)
        if (command.name !== 'LIST' || !command.rest.startsWith('"" "*"')) return namespaces(command, reply)
        reply.line('* LIST () "/" "INBOX"')
        reply.ok()
        return true
      },
      'IMAP4rev1 NAMESPACE SPECIAL-USE',
    )
    await readOnce(app, owner)
    expect(await archive(owner)).toEqual(['two'])
    expect((await listFolder(app, owner, 'sent')).map(({ subject }) => subject)).toEqual(['three'])
    expect((await settings(owner)).last_error).toBeNull()
  })

  test('that is no modified UTF-7 is read under the name that was listed', async () => {
    const latin1 = 'Entw\xfcrfe'
    const utf8 = Buffer.from('Entwürfe').toString('latin1')
    const names = ['A&B', 'A&C', 'R&D', 'R&-D', '&AOQ', 'Ge&APY-ffnet', latin1, utf8]
    // Names in ASCII that are encoded all the same.
    names.push('A', '&AEE-', '&AEI-oo&AEI-', '&ACo-')
    const owner = await ownerOf({
      INBOX: scriptedFolder(['one']),
      ...Object.fromEntries(names.map((name, at) => [name, scriptedFolder([`In ${at}`])])),
    })
    await readOnce(app, owner)
    expect((await settings(owner)).last_error).toBeNull()
    const read = [
      ...(await archive(owner)),
      ...(await listFolder(app, owner, 'drafts')).map(({ subject }) => subject),
    ]
    expect(read.toSorted()).toEqual(names.map((_, at) => `In ${at}`).toSorted())
    const paths = (await settings(owner)).folders.map(({ path }) => path)
    expect(paths.toSorted()).toEqual(
      ['INBOX', 'A&B', 'A&C', 'R&D', 'R&D (2)', '&AOQ', 'Geöffnet', 'Entwürfe', 'Entwürfe (2)']
        .concat(['A', 'A (2)', 'BooB', '*'])
        .toSorted(),
    )
    // What is done to their emails before the folders are listed reaches them, too.
    const inAmp = (await listFolder(app, owner, 'archived')).find(({ subject }) => subject === 'In 0')
    const body = { action: 'star' as const, ids: [inAmp?.id ?? 0] }
    await call(app.url, emails.act, { token: owner.token, body })
    await readOnce(app, owner)
    expect(owner.far.folders.get('A&B')?.mails[0]?.flags).toContain('\\Flagged')
    expect(await readOnce(app, owner)).toBe(0)
  })
})

describe('a list of folders', () => {
  const listing =
    (...paths: string[]): ImapScript =>
    ({ name, rest }, { line, ok }) => {
      if (name !== 'LIST' || !rest.includes('*')) return false
      for (const path of paths) line(`* LIST (\\HasNoChildren) "/" "${path}"`)
      ok()
      return true
    }
  const paths = async (owner: Owner) => (await settings(owner)).folders.map(({ path }) => path)

  test('of only the inbox is not believed at once, and told', async () => {
    const owner = await ownerOf({
      INBOX: scriptedFolder(['one', 'two']),
      Kunden: scriptedFolder(['three']),
      Sent: scriptedFolder(['four'], '\\Sent'),
    })
    await readOnce(app, owner)
    owner.far.setScript(listing('INBOX'))
    await sendMail(owner)
    // Moved by another program into a folder that is not listed.
    owner.far.folders.get('INBOX')?.mails.shift()
    for (let pass = 0; pass < 2; pass += 1) {
      app.clock.forward(MINUTE)
      owner.far.put('Kunden', `new ${pass}`)
      await readOnce(app, owner)
    }
    expect((await inbox(owner)).toSorted()).toEqual(['one', 'two'])
    expect(await archive(owner)).toHaveLength(3)
    expect(await sentences(owner)).toEqual([
      'The server no longer lists 2 folders (Kunden, Sent). Their emails stay in Howl. If this lasts for 10 minutes, Howl assumes that the folders were deleted on the server and stops checking.',
    ])
    expect(owner.far.folders.get('Sent')?.mails).toHaveLength(2)
    owner.far.setScript(() => false)
    owner.far.put('Kunden', 'one')
    await readOnce(app, owner)
    await readOnce(app, owner)
    expect(await inbox(owner)).toEqual(['two'])
    expect(await archive(owner)).toHaveLength(4)
    expect((await settings(owner)).last_error).toBeNull()
    expect(await listFolder(app, owner, 'sent')).toHaveLength(2)
  })

  test.each([[[]], [['Kunden', 'Offers', 'New']]])(
    'of only %j, without the inbox, is never believed, and told',
    async (listed) => {
      const owner = await ownerOf({
        INBOX: scriptedFolder(['one', 'two']),
        Kunden: scriptedFolder(['three']),
        Offers: scriptedFolder(),
        Sent: scriptedFolder(['four'], '\\Sent'),
      })
      await readOnce(app, owner)
      owner.far.setScript(listing(...listed))
      // Moved by another program into a folder that is not listed.
      owner.far.folders.get('INBOX')?.mails.shift()
      const told: string[][] = []
      for (let pass = 0; pass < 5; pass += 1) {
        await readOnce(app, owner)
        told.push(await sentences(owner))
        app.clock.forward(11 * MINUTE)
      }
      expect((await inbox(owner)).toSorted()).toEqual(['one', 'two'])
      const sentence =
        'The list of folders could not be read: It lacks the inbox, so Howl does not rely on it.'
      expect(told).toEqual(told.map(() => [sentence]))
      expect((await paths(owner)).toSorted()).toEqual(['INBOX', 'Kunden', 'Offers', 'Sent'])
      owner.far.setScript(() => false)
      owner.far.put('Kunden', 'one')
      await tryAgain(owner)
      await readOnce(app, owner)
      await readOnce(app, owner)
      expect(await inbox(owner)).toEqual(['two'])
      expect((await archive(owner)).toSorted()).toEqual(['one', 'three'])
      expect((await settings(owner)).last_error).toBeNull()
    },
  )

  test('that lacks most of them for long is believed; their emails stay', async () => {
    const owner = await ownerOf({ INBOX: scriptedFolder(['one']), Kunden: scriptedFolder(['two']) })
    await readOnce(app, owner)
    owner.far.folders.delete('Kunden')
    await readOnce(app, owner)
    expect(await sentences(owner)).toEqual([
      'The server no longer lists the folder Kunden. Its emails stay in Howl. If this lasts for 10 minutes, Howl assumes that the folder was deleted on the server and stops checking.',
    ])
    // Impatience does not make it true.
    await tryAgain(owner)
    await readOnce(app, owner)
    expect(await paths(owner)).toEqual(['INBOX', 'Kunden'])
    app.clock.forward(11 * MINUTE)
    await readOnce(app, owner)
    expect(await paths(owner)).toEqual(['INBOX'])
    expect((await settings(owner)).last_error).toBeNull()
    expect(await archive(owner)).toEqual(['two'])
  })

  test('that lacks one of several, or has others instead, is believed at once; their emails stay', async () => {
    const owner = await ownerOf({
      INBOX: scriptedFolder(['one']),
      Kunden: scriptedFolder(['two']),
      Offers: scriptedFolder(['three']),
    })
    await readOnce(app, owner)
    owner.far.folders.delete('Kunden')
    await readOnce(app, owner)
    expect(await paths(owner)).toEqual(['INBOX', 'Offers'])
    const offers = owner.far.folders.get('Offers') ?? scriptedFolder()
    owner.far.folders.delete('Offers')
    owner.far.folders.set('Quotes', offers)
    await readOnce(app, owner)
    expect(await paths(owner)).toEqual(['INBOX', 'Quotes'])
    expect((await archive(owner)).toSorted()).toEqual(['three', 'two'])
    expect((await settings(owner)).last_error).toBeNull()
  })
})
