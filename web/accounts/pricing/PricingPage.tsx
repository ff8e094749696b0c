import { useSession } from '#web/accounts/auth/session.tsx'
import { useAddressQuery } from '#web/platform/address.ts'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { Tabs } from '#web/platform/ui/Tabs.tsx'
import { InviteFriends } from './InviteFriends.tsx'
import { PricingHeaderLinks } from './PricingHeaderLinks.tsx'
import { PricingPlans } from './PricingPlans.tsx'
import { ReferralProgramme } from './ReferralProgramme.tsx'

const TABS = [
  { value: 'plans', label: 'Pricing Plans' },
  { value: 'invite', label: 'Invite Friends & Earn Credits' },
] as const
type TabName = (typeof TABS)[number]['value']

/** What Howl costs, and how to earn credits by inviting friends. */
export function PricingPage() {
  const { state, user } = useSession()
  const [query, change] = useAddressQuery()
  const tab: TabName = query.get('tab') === 'invite' ? 'invite' : 'plans'
  const show = (next: TabName) =>
    change(
      (now) => {
        if (next === 'plans') now.delete('tab')
        else now.set('tab', next)
        return now
      },
      { replace: true },
    )
  return (
    <>
      <PageHeader
        title="Pricing"
        note={user === null ? 'Start free. Pay when you need more.' : `Welcome, ${user.name}`}
        actions={<PricingHeaderLinks isSignedIn={state === 'signed-in'} />}
      />
      <Tabs label="Pricing" tabs={TABS} value={tab} onChange={show}>
        {tab === 'plans' ? (
          <PricingPlans />
        ) : state === 'signed-in' ? (
          <InviteFriends />
        ) : (
          <ReferralProgramme />
        )}
      </Tabs>
    </>
  )
}
