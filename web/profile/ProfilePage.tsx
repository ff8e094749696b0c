import { PageHeader } from '#web/ui/PageHeader.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { AutoFollowUps } from './AutoFollowUps.tsx'
import { AccountManagement } from './AccountManagement.tsx'
import { ModelReading } from './ModelReading.tsx'
import { EmailConfiguration } from './EmailConfiguration.tsx'
import { AiUsage } from './ai-usage/AiUsage.tsx'
import { ProfileInformation } from './ProfileInformation.tsx'
import { AiModel } from './own-model/AiModel.tsx'
import { SendingHours } from './SendingHours.tsx'
import { SignedInDevices } from './SignedInDevices.tsx'
import { TwoStepSignIn } from './two-step/TwoStepSignIn.tsx'

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
