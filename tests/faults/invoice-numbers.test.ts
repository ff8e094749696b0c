import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '../support/client.ts'
import { signUp, type TestUser } from '../support/factories.ts'
import { type HowlProcess, startHowlProcess } from '../support/howl-process.ts'
import { anInvoice } from '../support/invoices.ts'

const INVOICES = 40
/** So many are issued before the process is killed; the others are on their way. */
const BEFORE_KILL = 12

test('forty invoices issued at once, with a kill in the middle, have forty consecutive numbers', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-faults-'))
  const settings = { DATA_DIR: dataDir, SECRET_KEY: 'a secret key that only the tests know of' }
  let howl = await startHowlProcess(settings)
  try {
    const { token } = await signUp(howl.url)
    const drafts: number[] = []
    for (let n = 0; n < INVOICES; n++)
      drafts.push((await call(howl.url, invoices.add, { token, body: anInvoice() })).body.id)

    const given = new Map<number, string>()
    let kill: Promise<void> | undefined
    await Promise.all(
      drafts.map(async (id) => {
        // What the kill cut off has no answer.
        const answer = await issue(howl, token, id).catch(() => null)
        if (answer?.status !== 200) return
        given.set(id, answer.body.number)
        if (given.size >= BEFORE_KILL) kill ??= howl.kill()
      }),
    )
    await kill
    expect(given.size).toBeLessThan(INVOICES)
    howl = await startHowlProcess(settings)

    // A call without an answer is made again, twice. One that had an answer gets the same number.
    const again = await Promise.all([...drafts, ...drafts].map((id) => issue(howl, token, id)))
    for (const { body } of again) expect(body.number).toBe(given.get(body.id) ?? body.number)
    const numbers = new Set(again.map(({ body }) => body.number))
    expect([...numbers].toSorted()).toEqual(
      Array.from({ length: INVOICES }, (_, at) => formatted(again[0]?.body.number ?? '', at + 1)),
    )
  } finally {
    await howl.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

const issue = (howl: HowlProcess, token: TestUser['token'], id: number) =>
  call(howl.url, invoices.issue, { token, params: { id } })

/** The same number with another count. */
const formatted = (number: string, count: number) => number.replace(/\d{4}$/, String(count).padStart(4, '0'))
