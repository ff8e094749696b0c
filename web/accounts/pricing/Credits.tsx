import { referrals } from '#contract/operations/referrals.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { StatCard } from '#web/platform/ui/StatCard.tsx'

/** The user's credits and how the invitations went, in figures. */
export function Credits() {
  const balance = useEndpoint(referrals.balance)
  const stats = useEndpoint(referrals.stats)
  if ((balance.isError && balance.data === undefined) || (stats.isError && stats.data === undefined)) {
    const again = () => void Promise.all([balance.refetch(), stats.refetch()])
    return (
      <Card>
        <ErrorState
          message="Your credits could not be loaded."
          onRetry={again}
          busy={balance.isFetching || stats.isFetching}
        />
      </Card>
    )
  }
  const { available_credits = 0, total_credits = 0, waiting_credits = 0 } = balance.data ?? {}
  const { total_invitations = 0, successful_signups = 0, conversion_rate = 0 } = stats.data ?? {}
  const loading = balance.isPending || stats.isPending
  return (
    <section aria-label="Your credits" className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-5">
      <StatCard
        label="Available credits"
        value={available_credits}
        note={
          waiting_credits === 0
            ? 'To spend on AI requests'
            : `${waiting_credits} of them once the new account’s address is confirmed`
        }
        loading={loading}
      />
      <StatCard label="Credits earned" value={total_credits} note="In all" loading={loading} />
      <StatCard label="Friends joined" value={successful_signups} note="With your code" loading={loading} />
      <StatCard
        label="Invitations"
        value={total_invitations}
        note={`${conversion_rate}% of them joined`}
        loading={loading}
      />
    </section>
  )
}
