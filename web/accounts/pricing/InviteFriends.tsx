import { Credits } from './Credits.tsx'
import { InviteForm } from './InviteForm.tsx'
import { RecentInvitations } from './RecentInvitations.tsx'
import { ReferralCode } from './ReferralCode.tsx'
import { auth } from '#contract/accounts/auth.ts'
import { emailConfirmation } from '#contract/accounts/email-confirmation.ts'
import { referrals } from '#contract/operations/referrals.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { printedNote } from '#web/accounts/auth/reset/reset-messages.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** Inviting friends, and what came of it. */
export function InviteFriends() {
  return (
    <div className="flex flex-col gap-5">
      <ConfirmNotice />
      <Credits />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <InviteForm />
          <ReferralCode />
        </div>
        <RecentInvitations />
      </div>
    </div>
  )
}

/** Told while the user has not confirmed the address: credits of the own sign-up wait for it. */
function ConfirmNotice() {
  const { data } = useEndpoint(auth.me)
  const request = useCommand(emailConfirmation.request, {
    refreshes: [auth.me, referrals.balance],
    onSuccess: ({ confirmed, link_sent, printed }) => {
      if (confirmed) toast.success('Your email address is confirmed already.')
      else if (printed) toast.info(printedNote('link'))
      else if (link_sent) toast.success('The link has been sent. Please look into your mailbox.')
      else toast.error('The link could not be sent yet. Please try again later.')
    },
    onError: (error) => toast.error(sentenceOf(error, 'The link could not be sent. Please try again.')),
  })
  if (data === undefined || data.email_confirmed) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3">
      <p>
        Please confirm your email address: we have sent a link to{' '}
        <span className="font-medium break-all">{data.email}</span>.
      </p>
      <Button size="s" busy={request.isPending} onClick={() => request.mutate({})}>
        Send the link again
      </Button>
    </div>
  )
}
