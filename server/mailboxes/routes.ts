import { mailboxes } from '#contract/mailboxes.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { disconnect } from './disconnect.ts'
import { discover } from './discover.ts'
import { emailSettingsOf, presentAccount } from './present.ts'
import { saveSettings } from './save-settings.ts'
import { mailboxesOf } from './store.ts'
import { testSettings } from './test-settings.ts'
import { usePracticeMailbox } from './use-practice-mailbox.ts'

export function mailboxRoutes(app: Server): void {
  serve(app, mailboxes.get, ({ context, user }) => emailSettingsOf(context.db, user.id))
  serve(app, mailboxes.accounts, async ({ context, user }) =>
    (await mailboxesOf(context.db, user.id)).map(presentAccount),
  )
  serve(app, mailboxes.save, async ({ context, user, body }) => {
    await saveSettings(context, user.id, body)
    return emailSettingsOf(context.db, user.id)
  })
  serve(app, mailboxes.remove, async ({ context, user }) => {
    await disconnect(context, user.id)
    return emailSettingsOf(context.db, user.id)
  })
  serve(app, mailboxes.test, ({ context, user, body }) => testSettings(context, user.id, body))
  serve(app, mailboxes.discover, ({ query }) => discover(query.email))
  serve(app, mailboxes.practice, async ({ context, user }) => {
    await usePracticeMailbox(context, user)
    return emailSettingsOf(context.db, user.id)
  })
}
