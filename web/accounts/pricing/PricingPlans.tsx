import { Link } from 'react-router'
import { auth } from '#contract/accounts/auth.ts'
import { CREDITS_PER_FRIEND } from '#contract/operations/referrals.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { paths } from '#web/platform/paths.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { cx } from '#web/platform/ui/cx.ts'

type Plan = {
  tier: string
  name: string
  price: string
  /** Behind the price. */
  per?: string
  forWhom: string
  offers: readonly string[]
}

const PLANS: readonly Plan[] = [
  {
    tier: 'free',
    name: 'Free',
    price: '$0',
    forWhom: 'To try everything, for as long as you like.',
    offers: ['5 AI requests a day', '1 email account'],
  },
  {
    tier: 'starter',
    name: 'Starter',
    price: '$29',
    per: 'a month',
    forWhom: 'For one person who writes every day.',
    offers: ['100 AI requests a day', '3 email accounts'],
  },
  {
    tier: 'professional',
    name: 'Professional',
    price: '$99',
    per: 'a month',
    forWhom: 'For a business that lives on outreach.',
    offers: ['500 AI requests a day', '10 email accounts'],
  },
  {
    tier: 'enterprise',
    name: 'Enterprise',
    price: 'Custom',
    forWhom: 'For more than that.',
    offers: ['Unlimited AI requests', 'Unlimited email accounts'],
  },
]

/** The four plans side by side, and what people ask about them. */
export function PricingPlans() {
  const { state } = useSession()
  const isSignedIn = state === 'signed-in'
  const { data } = useEndpoint(auth.me, { enabled: isSignedIn })
  return (
    <>
      <ul className="grid overflow-hidden rounded-lg border border-line bg-surface sm:grid-cols-2 lg:grid-cols-4">
        {PLANS.map((plan) => (
          <PlanColumn
            key={plan.tier}
            plan={plan}
            isSignedIn={isSignedIn}
            isOwn={data?.pricing_tier === plan.tier}
          />
        ))}
      </ul>
      <Questions />
    </>
  )
}

function PlanColumn({ plan, isSignedIn, isOwn }: { plan: Plan; isSignedIn: boolean; isOwn: boolean }) {
  const { tier, name, price, per, forWhom, offers } = plan
  return (
    // Hairlines between the columns, whichever way they stand.
    <li className="-mt-px -ml-px flex flex-col border-t border-l border-line p-5">
      <div className="flex min-h-5.5 items-center gap-2">
        <h2 className="text-md font-semibold">{name}</h2>
        {isOwn ? <Badge tone="moon">Your plan</Badge> : null}
      </div>
      <p className="mt-3 flex items-baseline gap-1.5">
        <span className="font-display text-2xl font-medium tabular-nums">{price}</span>
        {per === undefined ? null : <span className="text-ink-2">{per}</span>}
      </p>
      <p className="mt-1 text-ink-2 lg:min-h-10.5">{forWhom}</p>
      <ul className="mt-4 mb-6 flex flex-col border-t border-line">
        {offers.map((offer) => (
          <li key={offer} className="border-b border-line py-2">
            {offer}
          </li>
        ))}
      </ul>
      {tier !== 'free' ? (
        <Button disabled className="mt-auto w-full">
          Soon..
        </Button>
      ) : isSignedIn ? null : (
        <Link to={paths.home} state={{ start: true }} className={cx(buttonClass('quiet'), 'mt-auto w-full')}>
          Start with Free
        </Link>
      )}
    </li>
  )
}

const QUESTIONS = [
  ['Is there a free trial?', 'Yes. Every paid plan begins with a 14-day trial.'],
  [
    'Can I get my money back?',
    'Yes. Paid plans have a 30-day money-back guarantee for new customers: write to us within 30 days.',
  ],
  [
    'When can I buy a paid plan?',
    'Soon. Until then everybody is on Free, and nothing that you set up gets lost when you change.',
  ],
  [
    'What is an AI request?',
    'A chat message, a preview of a reply or follow-up, and a bulk run are one request each. Emails from a template cost nothing.',
  ],
  [
    'What are credits good for?',
    `One credit pays for one AI request beyond your day’s limit. You earn ${CREDITS_PER_FRIEND} for every friend who signs up with your code; they are good for 12 months.`,
  ],
] as const

function Questions() {
  return (
    <section
      aria-labelledby="pricing-questions"
      className="mt-12 grid gap-x-10 gap-y-4 lg:grid-cols-[1fr_3fr]"
    >
      <h2 id="pricing-questions" className="font-display text-xl font-medium tracking-tight">
        FAQ
      </h2>
      <dl>
        {QUESTIONS.map(([question, reply]) => (
          <div
            key={question}
            className="grid gap-x-8 gap-y-1 border-t border-line py-4 sm:grid-cols-[2fr_3fr]"
          >
            <dt className="font-medium">{question}</dt>
            <dd className="text-ink-2">{reply}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
