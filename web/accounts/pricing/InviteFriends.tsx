import { ConfirmNotice } from './ConfirmNotice.tsx'
import { Credits } from './Credits.tsx'
import { InviteForm } from './InviteForm.tsx'
import { RecentInvitations } from './RecentInvitations.tsx'
import { ReferralCode } from './ReferralCode.tsx'

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
