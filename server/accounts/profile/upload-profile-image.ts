import { buffer } from 'node:stream/consumers'
import { PROFILE_IMAGE_BYTES_MAX } from '#contract/accounts/profile.ts'
import { changeUser, type UserRow } from '../auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { Refusal, unauthenticated } from '../../platform/errors.ts'
import { explainUpload, type UploadedFile } from '../../platform/http/uploaded-file.ts'
import { renderProfileImage } from './render-profile-image.ts'

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
