import { describe, expect, test } from 'vitest'
import { scriptedFolder } from '../../../../tests/support/hostile-imap.ts'
import { readOnce } from '../../../../tests/support/reading.ts'
import {
  MINUTE,
  app,
  subjects,
  ownerOf,
  settings,
  sentences,
  inbox,
  archive,
  useTroubledServers,
} from '../../../../tests/support/troubled-server.ts'
import { runSql } from '../../../platform/database/transaction.ts'

useTroubledServers()

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
