import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp } from '../tests/support/factories.ts'
import { importCsv } from '../tests/support/csv.ts'
import { startTestApp } from '../tests/support/test-app.ts'
import { secretKey } from './platform/secret-key.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'howl-private-'))
})
afterAll(() => rm(folder, { recursive: true }))

const modeOf = async (name: string) => ((await stat(name)).mode & 0o777).toString(8)

test('a start restricts files that an earlier version left readable, also below BLOBS_URL', async () => {
  const blobs = path.join(folder, 'blobs')
  const file = path.join(blobs, 'raw/7/1')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, 'a mail')
  await chmod(file, 0o644)
  for (const name of ['', 'raw', 'raw/7']) await chmod(path.join(blobs, name), 0o755)
  const app = await startTestApp({ roles: ['web'], environment: { BLOBS_URL: pathToFileURL(blobs).href } })
  try {
    await expect.poll(() => modeOf(file)).toBe('600')
    for (const name of ['', 'raw', 'raw/7']) expect(await modeOf(path.join(blobs, name))).toBe('700')

    const { token } = await signUp(app.url)
    expect((await importCsv(app.url, token, 'Email\na@x.example\n')).status).toBe(200)
    expect(await modeOf(path.join(app.dataDir, 'uploads'))).toBe('700')
  } finally {
    await app.end()
  }
})

test('nobody else can read the secret key or list its folder', async () => {
  const data = path.join(folder, 'data')
  const key = await secretKey(null, data)
  const file = path.join(data, 'secret-key')
  expect(await modeOf(file)).toBe('600')
  expect(await modeOf(data)).toMatch(/^7(00|11)$/)
  await chmod(file, 0o644)
  expect(await secretKey(null, data)).toBe(key)
  expect(await modeOf(file)).toBe('600')
})
