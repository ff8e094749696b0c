import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BlobNotFound, fileBlobs, type Blobs } from './blobs.ts'

let folder: string
let blobs: Blobs

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'howl-blobs-'))
  blobs = fileBlobs(path.join(folder, 'blobs'))
})
afterAll(() => rm(folder, { recursive: true }))

test('stores bytes and returns them, whole or as a stream', async () => {
  expect(await blobs.put('7/mail/1.eml', Buffer.from('hello'))).toBe(5)
  expect(await blobs.put('7/mail/2.eml', Readable.from([Buffer.from('hel'), Buffer.from('lo!')]))).toBe(6)
  expect(String(await blobs.get('7/mail/1.eml'))).toBe('hello')
  expect(String(await buffer(await blobs.stream('7/mail/2.eml')))).toBe('hello!')
  await blobs.put('7/mail/1.eml', Buffer.from('again'))
  expect(String(await blobs.get('7/mail/1.eml'))).toBe('again')
})

test('deletes blobs, even missing ones', async () => {
  await blobs.put('gone', Buffer.from('x'))
  await blobs.delete('gone')
  await blobs.delete('gone')
  await expect(blobs.get('gone')).rejects.toBeInstanceOf(BlobNotFound)
  await expect(blobs.stream('gone')).rejects.toBeInstanceOf(BlobNotFound)
})

test('leaves nothing behind when the source fails', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('line cut')
    })(),
  )
  await expect(blobs.put('half/one', broken)).rejects.toThrow('line cut')
  expect(await readdir(path.join(folder, 'blobs/half'))).toEqual([])
})

const modeOf = async (name: string) => ((await stat(path.join(folder, name))).mode & 0o777).toString(8)

test('nobody else on the machine can read blobs, whatever the umask', async () => {
  const before = process.umask(0)
  try {
    const own = fileBlobs(path.join(folder, 'own'))
    await own.put('7/mail/1.eml', Buffer.from('hello'))
    await own.put('7/mail/2.eml', Readable.from([Buffer.from('hello')]))
  } finally {
    process.umask(before)
  }
  for (const name of ['own', 'own/7', 'own/7/mail']) expect(await modeOf(name)).toBe('700')
  for (const name of ['own/7/mail/1.eml', 'own/7/mail/2.eml']) expect(await modeOf(name)).toBe('600')
})

test('restricts what an earlier version left readable, and nothing outside', async () => {
  const open = path.join(folder, 'open')
  await mkdir(path.join(open, 'raw/7'), { recursive: true })
  await writeFile(path.join(open, 'raw/7/1'), 'x')
  await writeFile(path.join(folder, 'outside'), 'x')
  await symlink(path.join(folder, 'outside'), path.join(open, 'link'))
  for (const name of ['open', 'open/raw', 'open/raw/7']) await chmod(path.join(folder, name), 0o755)
  for (const name of ['open/raw/7/1', 'outside']) await chmod(path.join(folder, name), 0o644)
  expect(await fileBlobs(open).close()).toBe(0)
  for (const name of ['open', 'open/raw', 'open/raw/7']) expect(await modeOf(name)).toBe('700')
  expect(await modeOf('open/raw/7/1')).toBe('600')
  expect(await modeOf('outside')).toBe('644')
  expect(await fileBlobs(path.join(folder, 'new')).close()).toBe(0)
  expect(await modeOf('new')).toBe('700')
})

test('removes partial files of killed processes, but not those being written', async () => {
  const part = (name: string) => path.join(folder, `blobs/parts/.${name}.part`)
  await blobs.put('parts/whole', Buffer.from('x'))
  for (const name of ['0a-1', '0b-2']) await writeFile(part(name), 'half')
  const yesterday = new Date(Date.now() - 86_400_000)
  for (const file of [part('0a-1'), path.join(folder, 'blobs/parts/whole')])
    await utimes(file, yesterday, yesterday)
  await blobs.removeDrafts()
  expect((await readdir(path.join(folder, 'blobs/parts'))).toSorted()).toEqual(['.0b-2.part', 'whole'])
  await fileBlobs(path.join(folder, 'nowhere')).removeDrafts()
})

test.each(['', '/etc/passwd', '../up', 'a/../../b', 'a//b', 'a/', '.hidden', 'a\0b', 'a b', 'x'.repeat(201)])(
  'refuses a key like "%s"',
  async (key) => {
    await expect(blobs.put(key, Buffer.from('x'))).rejects.toThrow('Not a blob key')
    await expect(blobs.get(key)).rejects.toThrow('Not a blob key')
  },
)
