import type { QueryClient } from '@tanstack/react-query'
import { type Email, emails, type Intent } from '#contract/mail/emails.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { refresh } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'

/** Sending can be undone for this long. */
export const UNDO_SECONDS = 10
export const REPLY_FAILED = 'Failed to send reply'
/** Afterwards the delivery of the mail is checked this often, and this many times. */
const ASK_EVERY_MS = 2000
const ASK_TIMES = 10

/**
 * Says that a mail is being sent, with Undo while that is possible. If the mail server refuses the mail later, says so:
 * the mail is then in Drafts, and `onWrite` opens it. `failure` is shown if the server gave no reason.
 */
export function tellSent(
  client: QueryClient,
  mail: Email,
  message: string,
  onWrite: (mail: Email) => void,
  failure = 'Failed to send email',
): void {
  const takeBack = async () => {
    try {
      const draft = await call(emails.cancel, { params: { id: mail.id } })
      refreshMails(client)
      // For users who have gone to another page meanwhile, where no dialog opens.
      toast.info('Not sent. The email is in Drafts.')
      onWrite(draft)
    } catch (error) {
      toast.error(sentenceOf(error, 'The email has already been sent'))
    }
  }
  if (mail.undo_until === null) sayHowSent(mail, message)
  else toast.success(message, { undo: () => void takeBack() })
  if (mail.undo_until !== null) void watch(client, mail, new Date(mail.undo_until), failure)
}

/** Says that a mail was sent only if that is certain; otherwise says what is known. */
export function sayHowSent({ delivery }: Email, message: string): void {
  const state = delivery?.state
  if (state === 'sending') toast.info('The mail server has not answered yet. The email is still on its way.')
  else if (state === 'deferred')
    toast.info('The mail server cannot accept the email yet. Howl will try again.')
  else if (state === 'unsure')
    toast.info('Howl does not know yet whether the email was sent, and is checking.')
  else toast.success(message)
}

export function refreshMails(client: QueryClient): void {
  for (const endpoint of [emails.list, emails.counts, emails.get, emails.thread])
    void refresh(client, endpoint)
}

async function watch(client: QueryClient, { id }: Email, from: Date, failure: string): Promise<void> {
  await pause(Math.max(0, from.getTime() - Date.now()))
  for (let asked = 0; asked < ASK_TIMES; asked += 1) {
    await pause(ASK_EVERY_MS)
    const mail = await call(emails.get, { params: { id } }).catch(() => null)
    if (mail === null || mail.status === 'draft' || mail.delivery?.state === 'sent') break
    if (mail.delivery?.state === 'failed') {
      toast.error(mail.delivery.reason ?? failure)
      break
    }
  }
  refreshMails(client)
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The message after a reply was sent; it depends on what the answered mail asked for. */
export function sentText(answer: { intent: Intent | null; meeting_id?: number | null }): string {
  const message = `Reply sent (${(answer.intent ?? 'other').replaceAll('_', ' ')})`
  return answer.meeting_id == null ? message : `${message} and meeting created`
}
