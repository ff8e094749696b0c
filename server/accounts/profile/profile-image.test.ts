import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { profile, PROFILE_IMAGE_SIDE, PROFILE_IMAGE_URL_MAX } from '#contract/accounts/profile.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { renderProfileImage } from './render-profile-image.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  user = await signUp(app.url)
})
afterAll(() => app.end())

const NOT_AN_IMAGE = {
  detail: 'Please upload an image',
  code: 'INVALID_INPUT',
  fields: { profile_image_url: 'Please upload an image' },
}

async function uploadImage(content: Buffer, name = 'me.png', type = 'image/png', who = user) {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(content)], { type }), name)
  const response = await fetch(app.url + pathOf(profile.uploadImage), {
    method: 'POST',
    headers: { Authorization: `Bearer ${who.token}` },
    body: form,
  })
  const body = (await response.json()) as { profile_image_url: string; detail: string }
  return { status: response.status, body }
}

const put = (url: string | null) =>
  call(app.url, profile.update, { token: user.token, body: { profile_image_url: url } })

const stored = async () => (await call(app.url, auth.me, { token: user.token })).body.profile_image_url ?? ''

const pixelsOf = (url: string) => sharp(Buffer.from(url.split(',')[1] ?? '', 'base64'))

/** A picture of one colour. */
const plain = (width: number, height: number, background = '#3E5BDB') =>
  sharp({ create: { width, height, channels: 3, background } })

/** Random pixels, which compress worst. */
const noise = (side: number) =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })

/** The head of a PNG that claims these dimensions, with a few bytes of pixels. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(width * 3 + 1))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
  'an image of the format %s becomes a small square of WebP',
  async (format) => {
    const { status, body } = await uploadImage(await plain(600, 400).toFormat(format).toBuffer())
    expect(status).toBe(200)
    expect(body.profile_image_url).toMatch(/^data:image\/webp;base64,/)
    expect(await pixelsOf(body.profile_image_url).metadata()).toMatchObject({
      format: 'webp',
      width: PROFILE_IMAGE_SIDE,
      height: PROFILE_IMAGE_SIDE,
    })
    expect(await stored()).toBe(body.profile_image_url)
  },
)

test('the log-in and the session name the image', async () => {
  await uploadImage(await plain(300, 300).png().toBuffer())
  const { body } = await call(app.url, auth.login, { body: { email: user.email, password: user.password } })
  expect(body.user.profile_image_url).toBe(await stored())
})

test('a small image is not blown up', async () => {
  const { body } = await uploadImage(await plain(40, 40).png().toBuffer())
  expect(await pixelsOf(body.profile_image_url).metadata()).toMatchObject({ width: 40, height: 40 })
})

test('the worst image to compress fits into the data URL', async () => {
  const { body } = await uploadImage(await noise(256).png().toBuffer())
  expect(body.profile_image_url.length).toBeLessThanOrEqual(PROFILE_IMAGE_URL_MAX)
  expect(await pixelsOf(body.profile_image_url).metadata()).toMatchObject({ width: 256 })
})

test('a phone’s picture stands upright and no longer says where it was taken', async () => {
  // The top half is red once the picture is turned by the 90 degrees that its EXIF asks for.
  const half = await plain(200, 400, '#ff0000').png().toBuffer()
  const lying = await plain(400, 400, '#0000ff')
    .composite([{ input: half, left: 0, top: 0 }])
    .jpeg()
    .withExif({ IFD0: { Copyright: 'Ada Muster' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const { body } = await uploadImage(lying, 'me.jpg', 'image/jpeg')
  const { data } = await pixelsOf(body.profile_image_url).raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [...data.subarray((y * 256 + x) * 3, (y * 256 + x) * 3 + 3)]
  expect(at(128, 20)[0]).toBeGreaterThan(200)
  expect(at(128, 236)[2]).toBeGreaterThan(200)
  const { exif, icc, xmp, orientation } = await pixelsOf(body.profile_image_url).metadata()
  expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined])
})

test('an image of 40 megapixels is taken', async () => {
  const { status } = await uploadImage(await plain(8000, 5000).jpeg({ quality: 40 }).toBuffer())
  expect(status).toBe(200)
})

test('a small file that would unpack to a huge image is refused', async () => {
  const before = await stored()
  for (const bomb of [pngOf(30_000, 30_000), pngOf(2_000_000, 1000)]) {
    const { status, body } = await uploadImage(bomb)
    expect(bomb.length).toBeLessThan(10_000)
    expect([status, body.detail]).toEqual([
      400,
      'This image has more than 50 megapixels. Please choose a smaller one.',
    ])
  }
  expect(await stored()).toBe(before)
})

test('an AVIF of more than 16 megapixels is refused before it is decoded, also one that calls itself small', async () => {
  const before = await stored()
  const bytes = await plain(4100, 4000).avif({ effort: 0 }).toBuffer()
  expect(bytes.length).toBeLessThan(2000)
  const { status, body } = await uploadImage(bytes)
  expect([status, body.detail]).toEqual([
    400,
    'This AVIF image has more than 16 megapixels. Please choose a smaller one, or save it as JPEG.',
  ])
  // The dimensions in the container (ISO/IEC 23008-12, 6.5.3).
  const at = bytes.indexOf('ispe')
  for (const offset of [8, 12]) bytes.writeUInt32BE(256, at + offset)
  expect((await uploadImage(bytes)).status).toBe(400)
  expect(await stored()).toBe(before)
})

test('a photo waits for none of the slow images of others', async () => {
  const others = await Promise.all(Array.from({ length: 6 }, () => signUp(app.url)))
  const slow = await plain(3000, 3000).avif({ effort: 0 }).toBuffer()
  const photo = await plain(800, 600).jpeg().toBuffer()
  const ended: string[] = []
  const upload = async (what: string, bytes: Buffer, who: TestUser) => {
    const { status } = await uploadImage(bytes, 'me', 'image/avif', who)
    ended.push(what)
    return status
  }
  const all = Promise.all(others.map((who) => upload('slow', slow, who)))
  expect(await upload('photo', photo, user)).toBe(200)
  // In one queue it would be the seventh.
  expect(ended.length).toBeLessThan(6)
  expect(await all).toEqual(others.map(() => 200))
})

test('an image that nobody waits for any more is not decoded, and of one user only so many wait', async () => {
  const bytes = await plain(60, 60).png().toBuffer()
  const caller = new AbortController()
  const own = new AbortController()
  const first = renderProfileImage(user.id, bytes, own.signal)
  const given = renderProfileImage(user.id, bytes, caller.signal)
  caller.abort(new Error('hung up'))
  await expect(given).rejects.toThrow('hung up')
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, () => renderProfileImage(user.id, bytes, own.signal)),
  )
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(10)
  expect(refused[0]?.reason).toMatchObject({
    status: 429,
    message: 'Other images are still being processed. Please try again in a moment.',
  })
  expect(await first).toMatch(/^data:image\/webp/)
})

const HTML = Buffer.from('<!doctype html><script>alert(1)</script>')
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
)

test.each([
  ['HTML that is called a PNG', HTML],
  ['HTML after the first bytes of a PNG', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), HTML])],
  ['an SVG', SVG],
  ['an SVG with an XML declaration', Buffer.concat([Buffer.from('<?xml version="1.0"?>'), SVG])],
  ['nothing', Buffer.alloc(0)],
  ['a PDF', Buffer.from('%PDF-1.7\n')],
  ['an SVG that calls itself an AVIF', Buffer.concat([Buffer.from('\0\0\0\x1cftypavif'), SVG])],
])('%s is refused, uploaded and in the profile', async (_, content) => {
  await uploadImage(await plain(30, 30).png().toBuffer())
  const before = await stored()
  expect(await uploadImage(content)).toEqual({ status: 400, body: NOT_AN_IMAGE })
  const asPng = `data:image/png;base64,${content.toString('base64')}`
  expect((await put(asPng)).status).toBe(400)
  expect(await stored()).toBe(before)
})

test('a picture that is cut off is refused', async () => {
  const whole = await noise(500).jpeg().toBuffer()
  expect((await uploadImage(whole.subarray(0, whole.length / 2))).status).toBe(400)
})

test('a file above 10 MB is refused in words', async () => {
  const { status, body } = await uploadImage(Buffer.alloc(11 * 1024 * 1024, 1))
  expect([status, body.detail]).toEqual([413, 'Please choose an image under 10 MB'])
})

test('a data URL in the profile goes the same way; sent back it stays as it is; null takes it away', async () => {
  const large = await noise(300).png().toBuffer()
  const { status, body } = await put(`data:image/png;base64,${large.toString('base64')}`)
  expect(status).toBe(200)
  const url = body.profile_image_url ?? ''
  expect(url.length).toBeLessThanOrEqual(PROFILE_IMAGE_URL_MAX)
  expect(await pixelsOf(url).metadata()).toMatchObject({ format: 'webp', width: 256 })
  expect((await put(url)).body.profile_image_url).toBe(url)
  expect((await put('data:image/svg+xml;base64,PHN2Zz4=')).error).toMatchObject(NOT_AN_IMAGE)
  expect((await put(null)).body.profile_image_url).toBeNull()
})

test('twenty images at once all become small', async () => {
  const files = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      plain(900 + n, 700)
        .png()
        .toBuffer(),
    ),
  )
  const answers = await Promise.all(files.map((file) => uploadImage(file)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
})
