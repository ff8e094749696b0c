import { profile } from '#contract/profile.ts'
import { presentAccount } from '../auth/auth.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { updateProfile } from './update-profile.ts'

export function profileRoutes(app: Server): void {
  serve(app, profile.update, async ({ context, user, body }) =>
    presentAccount(await updateProfile(context, user.id, body)),
  )
}
