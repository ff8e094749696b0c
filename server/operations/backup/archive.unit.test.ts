import { execFile } from 'node:child_process'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkArchive, MANIFEST, membersOf, writeArchive } from './archive.ts'
import { RowSum } from './manifest.ts'

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'howl-archive-'))
  file = path.join(folder, 'a.tar')
  const archive = await writeArchive(file, new Date('2026-11-23T22:00:00Z'))
  await archive.add('one.txt', Buffer.from('first'))
  await archive.add(`long/${'ä'.repeat(90)}/name.txt`, Buffer.from('a name that takes more than 100 bytes'))
  await archive.add('empty', Buffer.alloc(0))
  await archive.add('block', Buffer.alloc(512, 1))
  await archive.finish((members, sums) => ({ members, sums, what: 'a test' }))
  await archive.close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function check(place: string) {
  const handle = await open(place, 'r')
  try {
    return await checkArchive(place, handle)
  } finally {
    await handle.close()
  }
}

it('is read as it was written', async () => {
  expect(await check(file)).toMatchObject({ members: 4, what: 'a test' })
  const handle = await open(file, 'r')
  const names = (await Array.fromAsync(membersOf(handle))).map(({ name }) => name)
  await handle.close()
  expect(names).toEqual([
    'one.txt',
    `long/${'ä'.repeat(90)}/name.txt`,
    'empty',
    'block',
    'SHA256SUMS',
    MANIFEST,
    `${MANIFEST}.sha256`,
  ])
})

it('is unpacked and compared by the tools that every system has', async () => {
  const run = promisify(execFile)
  await run('tar', ['-xf', file, '-C', folder])
  const { stdout } = await run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder })
  expect(stdout.match(/: OK$/gm)).toHaveLength(4)
})

it('is refused whichever byte of a part, a name or a sum is another', async () => {
  const content = await readFile(file)
  const damaged = path.join(folder, 'damaged.tar')
  for (let at = 0; at < content.length - 1024; at += 61) {
    const copy = Buffer.from(content)
    copy[at] = (copy[at] ?? 0) ^ 0x20
    await writeFile(damaged, copy)
    const answer = await check(damaged).then(
      (found) => found,
      (error: Error) => error,
    )
    // Padding and the time of a header's end say nothing; whatever is read is as it was, or it is refused.
    if (!(answer instanceof Error)) expect(answer).toMatchObject({ members: 4, what: 'a test' })
  }
})

it('is refused wherever it is cut off', async () => {
  const content = await readFile(file)
  const cut = path.join(folder, 'cut.tar')
  for (let length = 0; length < content.length - 1024; length += 512) {
    await writeFile(cut, content.subarray(0, length))
    await expect(check(cut)).rejects.toThrow(/backup/)
  }
})

it('sums up rows whatever their order and however they are cut into chunks', () => {
  const sumOf = (...chunks: string[]) => {
    const sum = new RowSum()
    for (const chunk of chunks) sum.add(Buffer.from(chunk))
    return `${sum.rows} ${sum.checksum}`
  }
  const whole = sumOf('one\t1\ntwo\t2\n\\N\t\n')
  expect(sumOf('two\t', '2', '\n\\N\t\none', '\t1\n')).toBe(whole)
  expect(sumOf('one\t1\ntwo\t2\n\\N\t \n')).not.toBe(whole)
  expect(sumOf('one\t1\ntwo\t2\n')).not.toBe(whole)
  expect(sumOf('one\t1\none\t1\ntwo\t2\n\\N\t\n')).not.toBe(whole)
})
