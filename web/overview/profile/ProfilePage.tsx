import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { ChangePassword } from '../../accounts/profile/ChangePassword.tsx'
import { AutoFollowUps } from '../../outreach/follow-ups/AutoFollowUps.tsx'
import { AccountManagement } from '../../mail/mailboxes/AccountManagement.tsx'
import { ModelReading } from '../../models/ModelReading.tsx'
import { EmailConfiguration } from './EmailConfiguration.tsx'
import { AiUsage } from '../../models/ai-usage/AiUsage.tsx'
import { ProfileInformation } from '../../accounts/profile/ProfileInformation.tsx'
import { AiModel } from '../../models/own-model/AiModel.tsx'
import { SendingHours } from '../../outreach/automatic-mail/SendingHours.tsx'
import { SignedInDevices } from '../../accounts/profile/SignedInDevices.tsx'
import { TwoStepSignIn } from '../../accounts/profile/two-step/TwoStepSignIn.tsx'

/** What the user has set about himself and his mail account. */
export function ProfilePage() {
  return (
    <div className="mx-auto w-full max-w-240">
      <PageHeader title="Profile & Settings" />
      <div className="flex flex-col gap-5">
        <EmailConfiguration />
        <AutoFollowUps />
        <SendingHours />
        <AiModel />
        <ModelReading />
        <AiUsage />
        <ProfileInformation />
        <ChangePassword />
        <TwoStepSignIn />
        <SignedInDevices />
        <AccountManagement />
      </div>
    </div>
  )
}
