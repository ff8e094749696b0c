import { describe, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { call } from '../../../../tests/support/client.ts'
import { type ScriptedFolder, scriptedFolder } from '../../../../tests/support/hostile-imap.ts'
import { listFolder, readOnce } from '../../../../tests/support/reading.ts'
import {
  MINUTE,
  app,
  subjects,
  ownerOf,
  settings,
  inbox,
  archive,
  saveDraft,
  sendMail,
  rawSent,
  file,
  isBody,
  subjectsAt,
  renumber,
  withPlacesAsUids,
  useTroubledServers,
} from '../../../../tests/support/troubled-server.ts'

useTroubledServers()

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

  test('without UIDVALIDITY, drafts that are changed together leave no older copy in Drafts', async () => {
    const owner = await ownerOf(
      { INBOX: scriptedFolder(), Drafts: { ...scriptedFolder([], '\\Drafts'), says: { uidValidity: null } } },
      () => false,
      'IMAP4rev1 MOVE UIDPLUS',
    )
    owner.far.setScript(withPlacesAsUids(owner.far, 'Drafts'))
    const ids = [(await saveDraft(owner)).body.id, (await saveDraft(owner)).body.id]
    const content = ['One', 'Two']
    for (const words of [null, 'again', 'at last']) {
      for (const [at, id] of ids.entries()) {
        if (words === null) continue
        const body = { content: `${content[at]} ${words}` }
        await call(app.url, emails.update, { token: owner.token, params: { id }, body })
      }
      for (let pass = 0; pass < 2; pass += 1) {
        app.clock.forward(MINUTE)
        await readOnce(app, owner)
      }
    }
    const there = owner.far.folders.get('Drafts')?.mails.map(({ raw }) => /(?:One|Two).*/.exec(raw)?.[0])
    expect(there?.toSorted()).toEqual(['One at last', 'Two at last'])
    expect(await listFolder(app, owner, 'drafts')).toHaveLength(2)
  })

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
})
