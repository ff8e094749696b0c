import { mailboxOauth } from '#contract/mail/mailbox-oauth.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'

/** Sends the browser to a provider's page, to connect a mailbox, or to connect one again (`mailboxId`). */
export function useConsent() {
  const start = useCommand(mailboxOauth.start, {
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => toast.error(sentenceOf(error, 'The sign-in could not be started. Please try again.')),
  })
  return {
    /** The provider that is being asked; it stays until the browser has left this page. */
    asking: start.isPending || start.isSuccess ? (start.variables?.body?.provider ?? null) : null,
    ask: (provider: string, mailboxId?: number) =>
      start.mutate({ body: { provider, ...(mailboxId === undefined ? {} : { mailbox_id: mailboxId }) } }),
  }
}
