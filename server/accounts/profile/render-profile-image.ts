import { invalidInput, Refusal, TooManyRequests, unauthenticated } from '../../platform/errors.ts'
import { sniffType } from '../../formats/mail-text/sniff-type.ts'
import { makeThreadPool, ThreadEnded } from '../../platform/worker-threads/thread-pool.ts'
import { QueueRefused } from '../../platform/worker-threads/turn-queue.ts'
import type { ImageRequest, ImageResult } from './image-worker.ts'
import { buffer } from 'node:stream/consumers'
import { PROFILE_IMAGE_BYTES_MAX } from '#contract/accounts/profile.ts'
import { changeUser, type UserRow } from '../auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { explainUpload, type UploadedFile } from '../../platform/http/uploaded-file.ts'

/**
 * The largest image of each type that is decoded, in megapixels. Phones take photos of 50, as JPEG. AVIF costs ten to a
 * hundred times as much for each pixel: 50 megapixels in a file of 2 kB keep a processor busy for seconds.
 */
const MEGAPIXELS_MAX = new Map([
  ['image/jpeg', 50],
  ['image/png', 50],
  ['image/webp', 50],
  ['image/gif', 50],
  ['image/avif', 16],
])
/**
 * Decoding cannot be stopped within a process, and takes some hundred megabytes: so it runs in two of its own. AVIF leaves one
 * of them free for what is quick.
 */
const PROCESSES = 2
const PER_USER = { running: 1, waiting: 30, waitMs: 20_000 }
const TRY_AGAIN_MS = 5000
/** The largest images take about a second on a quiet machine. */
const DEADLINE_MS = 8000
/** A process takes a moment to start, and few people change their image twice. */
const IDLE_MS = 30_000

const pool = makeThreadPool({
  threads: PROCESSES,
  inProcesses: true,
  deadlineMs: DEADLINE_MS,
  idleMs: IDLE_MS,
  entry: new URL('./image-worker.ts', import.meta.url),
  perOwner: PER_USER,
})

/**
 * Makes a profile image of an uploaded file: upright, square at most, without metadata, as a data URL of WebP. Users take
 * turns.
 *
 * @throws Refusal 400 for bytes that are not an image, for too many pixels and for one that takes too long; 429 while many images
 *   wait; the signal's reason
 */
export async function renderProfileImage(userId: number, bytes: Buffer, signal: AbortSignal) {
  const type = sniffType('', bytes)
  const megapixels = MEGAPIXELS_MAX.get(type)
  if (megapixels === undefined) throw refused(NOT_AN_IMAGE)
  const message: ImageRequest = { bytes, pixelsMax: megapixels * 1_000_000 }
  const asker = { owner: userId, signal, isLong: type === 'image/avif' }
  const result = (await pool
    .ask(() => ({ message, handOver: [] }), asker)
    .catch(explainFailure)) as ImageResult
  if ('url' in result) return result.url
  throw refused(result.fault === 'pixels' ? tooManyPixels(type, megapixels) : NOT_AN_IMAGE)
}

const NOT_AN_IMAGE = 'Please upload an image'

function tooManyPixels(type: string, megapixels: number): string {
  return type === 'image/avif'
    ? `This AVIF image has more than ${megapixels} megapixels. Please choose a smaller one, or save it as JPEG.`
    : `This image has more than ${megapixels} megapixels. Please choose a smaller one.`
}

function explainFailure(error: unknown): never {
  if (error instanceof QueueRefused)
    throw new TooManyRequests(
      TRY_AGAIN_MS,
      'Other images are still being processed. Please try again in a moment.',
    )
  if (error instanceof ThreadEnded)
    throw refused('This image could not be opened. Please save it as JPEG and try again.')
  throw error
}

function refused(why: string) {
  return invalidInput(why, { profile_image_url: why })
}

/**
 * Keeps an uploaded file as the user's profile image. Its bytes decide what it is; its name does not count.
 *
 * @throws Refusal 400 for a file that is not an image or has too many pixels; 413 above 10 MB; 429 while many
 *   images wait; the signal's reason
 */
export async function uploadProfileImage(
  context: Context,
  userId: number,
  upload: UploadedFile,
  signal: AbortSignal,
): Promise<UserRow> {
  const bytes = await buffer(upload.stream).catch(explainUpload)
  if (upload.isTruncated) throw imageTooLarge()
  const profile_image_url = await renderProfileImage(userId, bytes, signal)
  const user = await changeUser(context.db, userId, { profile_image_url })
  if (user === undefined) throw unauthenticated()
  await context.live.publish(context.db, userId, { topic: 'account' })
  return user
}

/** 413: the file is above the limit. */
export function imageTooLarge(): Refusal {
  const limit = PROFILE_IMAGE_BYTES_MAX / 1024 / 1024
  return new Refusal(413, `Please choose an image under ${limit} MB`, 'TOO_LARGE')
}
