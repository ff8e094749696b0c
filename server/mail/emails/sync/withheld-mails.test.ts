import { describe, expect, test } from 'vitest'
import { type ImapScript, scriptedFolder } from '../../../../tests/support/hostile-imap.ts'
import { readOnce } from '../../../../tests/support/reading.ts'
import {
  SECOND,
  MINUTE,
  HOUR,
  app,
  opened,
  subjects,
  ownerOf,
  readDespite,
  settings,
  folder,
  inbox,
  archive,
  tryAgain,
  isBody,
  isAsked,
  useTroubledServers,
} from '../../../../tests/support/troubled-server.ts'

useTroubledServers()

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

  test('many emails that the server wants to hand over later cost few commands a pass, each has its turn, and all come soon after', async () => {
    const isRefused = (set: string) =>
      Array.from({ length: 40 }, (_, at) => 2 * at + 2).some((uid) => isAsked(set, uid))
    const owner = await ownerOf(
      { INBOX: scriptedFolder(subjects(80)) },
      ({ name, rest }, { no }) =>
        name === 'UID FETCH' &&
        isBody(rest) &&
        isRefused(rest.split(' ')[0] ?? '') &&
        (no('[SERVERBUG] Internal error occurred'), true),
    )
    await readOnce(app, owner)
    expect(await folder(owner, 'INBOX')).toMatchObject({ quarantined: 40 })
    const asked = () => owner.far.commands.filter(({ name, rest }) => name === 'UID FETCH' && isBody(rest))
    const tried = new Set<string>()
    for (let pass = 0; pass < 2; pass += 1) {
      app.clock.forward(MINUTE)
      const before = asked().length
      await readOnce(app, owner)
      const commands = asked().slice(before)
      expect(commands.length).toBeLessThan(30)
      for (const { rest } of commands) tried.add(rest.split(' ')[0] ?? '')
    }
    expect([...tried].filter((set) => /^\d+$/.test(set) && isRefused(set))).toHaveLength(40)
    owner.far.setScript(() => false)
    app.clock.forward(MINUTE)
    await readOnce(app, owner)
    expect(await folder(owner, 'INBOX')).toMatchObject({ quarantined: 0 })
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
