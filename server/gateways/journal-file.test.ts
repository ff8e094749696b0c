import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openJournals, ENTRY_BYTES } from './journal-file.ts'

let folder: string
let receiptsOf: (process: string) => ReturnType<typeof openJournals>

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'howl-receipts-'))
  receiptsOf = (process) => openJournals(path.join(folder, 'receipts'), process)
})
afterAll(() => rm(folder, { recursive: true }))

test('are there for others as soon as they are noted, the last one of each place', async () => {
  const [writer, reader] = [receiptsOf('1-writer'), receiptsOf('2-reader')]
  expect(await reader.others()).toEqual([])
  expect(await reader.of('1-writer')).toEqual([])
  writer.note(0, 'first')
  writer.note(3, 'Grüße')
  writer.note(0, 'again')
  expect(await reader.others()).toEqual(['1-writer'])
  expect(await writer.others()).toEqual([])
  expect(await reader.of('1-writer')).toEqual(['again', 'Grüße'])
  const { mode, size } = await stat(path.join(folder, 'receipts', '1-writer'))
  expect([mode & 0o777, size]).toEqual([0o600, 4 * ENTRY_BYTES])
  await reader.forget('1-writer')
  await reader.forget('1-writer')
  expect(await reader.others()).toEqual([])
})

test('a note that is too long is refused, and what stood there stays', async () => {
  const receipts = receiptsOf('3-long')
  receipts.note(0, 'short')
  expect(() => receipts.note(0, 'ä'.repeat(ENTRY_BYTES / 2))).toThrow(RangeError)
  receipts.note(1, 'x'.repeat(ENTRY_BYTES - 1))
  expect(await receipts.of('3-long')).toEqual(['short', 'x'.repeat(ENTRY_BYTES - 1)])
})

test('a file that was cut off gives what is left of it', async () => {
  const receipts = receiptsOf('4-cut')
  receipts.note(0, 'whole')
  receipts.note(1, 'in pieces')
  await truncate(path.join(folder, 'receipts', '4-cut'), ENTRY_BYTES + 2)
  expect(await receipts.of('4-cut')).toEqual(['whole', 'in'])
})

test('a process that was taken for dead goes on noting in a file that others see', async () => {
  const receipts = receiptsOf('6-late')
  receipts.note(0, 'before')
  await receiptsOf('7-other').forget('6-late')
  receipts.note(0, 'after')
  expect(await receiptsOf('7-other').of('6-late')).toEqual(['after'])
})

test('a name leads nowhere else', async () => {
  receiptsOf('../../5-climber').note(0, 'here')
  expect(await readdir(path.join(folder, 'receipts'))).toContain('5-climber')
})
