import { heldMails } from '#contract/mail/held-mail.ts'
import { done, serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { type Held, heldOf, sendHeld } from './held-mail.ts'

export function backupRoutes(app: Server): void {
  serve(app, heldMails.list, async ({ context, user }) => {
    const held = await heldOf(context, user.id)
    return held === null ? null : present(held)
  })
  serve(app, heldMails.send, ({ context, user, body }) =>
    done(sendHeld(context, user.id, { leaveOut: body.leave_out })),
  )
}

function present({ takenAt, restoredAt, total, mayHaveLeft, runs, recurring, mails }: Held) {
  return {
    backup_taken_at: takenAt.toISOString(),
    restored_at: restoredAt.toISOString(),
    total,
    may_have_left: mayHaveLeft,
    runs,
    recurring,
    mails: mails.map((mail) => ({
      kind: mail.kind,
      subject: mail.subject,
      to: mail.to,
      due_at: mail.dueAt.toISOString(),
      may_have_left: mail.mayHaveLeft,
    })),
  }
}
