import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENTRY_BYTES, moveJournals, openJournalFile } from './journal-file.ts'

let root: string
let folder: string
let journalOf: (process: string) => ReturnType<typeof openJournalFile>

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'howl-journal-'))
  folder = path.join(root, 'journal')
  journalOf = (process) => openJournalFile(folder, process)
})
afterAll(() => rm(root, { recursive: true }))

test('other processes read entries as soon as they are written, the latest of each slot', async () => {
  const [writer, reader] = [journalOf('1-writer'), journalOf('2-reader')]
  expect(await reader.otherProcesses()).toEqual([])
  expect(await reader.read('1-writer')).toEqual([])
  writer.write(0, 'first')
  writer.write(3, 'Grüße')
  writer.write(0, 'again')
  expect(await reader.otherProcesses()).toEqual(['1-writer'])
  expect(await writer.otherProcesses()).toEqual([])
  expect(await reader.read('1-writer')).toEqual(['again', 'Grüße'])
  const { mode, size } = await stat(path.join(folder, '1-writer'))
  expect([mode & 0o777, size]).toEqual([0o600, 4 * ENTRY_BYTES])
  await reader.delete('1-writer')
  await reader.delete('1-writer')
  expect(await reader.otherProcesses()).toEqual([])
})

test('an entry that is too long is refused, and the previous entry of its slot stays', async () => {
  const journal = journalOf('3-long')
  journal.write(0, 'short')
  expect(() => journal.write(0, 'ä'.repeat(ENTRY_BYTES / 2))).toThrow(RangeError)
  journal.write(1, 'x'.repeat(ENTRY_BYTES - 1))
  expect(await journal.read('3-long')).toEqual(['short', 'x'.repeat(ENTRY_BYTES - 1)])
})

test('a truncated file yields what is left of it', async () => {
  const journal = journalOf('4-cut')
  journal.write(0, 'whole')
  journal.write(1, 'in pieces')
  await truncate(path.join(folder, '4-cut'), ENTRY_BYTES + 2)
  expect(await journal.read('4-cut')).toEqual(['whole', 'in'])
})

test('a process that was taken for dead goes on writing to a file that others see', async () => {
  const journal = journalOf('6-late')
  journal.write(0, 'before')
  await journalOf('7-other').delete('6-late')
  journal.write(0, 'after')
  expect(await journalOf('7-other').read('6-late')).toEqual(['after'])
})

test('a process name cannot lead out of the folder', async () => {
  journalOf('../../5-climber').write(0, 'here')
  expect(await readdir(folder)).toContain('5-climber')
})

test('journals in the folder of an older version move to the new folder, also while their process is writing', async () => {
  const [oldFolder, newFolder] = [path.join(root, 'old'), path.join(root, 'new')]
  await moveJournals(oldFolder, newFolder)
  expect(await readdir(root)).not.toContain('new')
  const [ended, running] = [openJournalFile(oldFolder, '8-ended'), openJournalFile(oldFolder, '9-running')]
  ended.write(0, 'accepted')
  running.write(0, 'first')
  openJournalFile(newFolder, '10-current').write(0, 'own')
  await Promise.all([moveJournals(oldFolder, newFolder), moveJournals(oldFolder, newFolder)])
  running.write(1, 'second')
  const current = openJournalFile(newFolder, '10-current')
  expect((await current.otherProcesses()).toSorted()).toEqual(['8-ended', '9-running'])
  expect(await current.read('8-ended')).toEqual(['accepted'])
  expect(await current.read('9-running')).toEqual(['first', 'second'])
  expect(await readdir(root)).not.toContain('old')
})
