import { profile, PROFILE_IMAGE_BYTES_MAX } from '#contract/accounts/profile.ts'
import { noteActivity } from '../activities/activities.ts'
import { findUser, presentAccount } from '../auth/auth.ts'
import { hangUp } from '../../platform/http/hang-up.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { type UploadedFile, withUploadedFile } from '../../platform/http/uploaded-file.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { updateProfile } from './update-profile.ts'
import { imageTooLarge, uploadProfileImage } from './render-profile-image.ts'
import { origin } from '../../platform/http/origin.ts'

const IMAGE = { maxBytes: PROFILE_IMAGE_BYTES_MAX, tooLarge: imageTooLarge }

export function profileRoutes(app: Server): void {
  serve(app, profile.update, async ({ context, user, body, request, reply }) => {
    const before = await findUser(context.db, user.id)
    const row = await updateProfile(context, user.id, body, hangUp(reply))
    // The user name can be used to log in.
    if (row.username !== before?.username)
      logSecurity(context.log, { event: 'user_name_changed' }, user.id, origin(request))
    const type = row.username === before?.username ? 'profile_changed' : 'user_name_changed'
    const detail = Object.keys(body).join(', ')
    await noteActivity(context, context.db, { type, user: user.id, origin: origin(request), detail })
    return presentAccount(row)
  })
  serve(app, profile.uploadImage, async ({ context, user, request, reply }) => {
    const signal = hangUp(reply)
    const upload = (file: UploadedFile) => uploadProfileImage(context, user.id, file, signal)
    return presentAccount(await withUploadedFile(request, IMAGE, upload))
  })
}
