import { CREDITS_PER_FRIEND } from '#contract/operations/referrals.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { PricingHeaderLinks } from './PricingHeaderLinks.tsx'

const STEPS = [
  ['Invite', 'Mail an invitation from Howl, or share your code wherever you like.'],
  ['Your friend signs up', 'The code is filled in already. Your friend starts with credits too.'],
  [
    `Both of you earn ${CREDITS_PER_FRIEND} credits`,
    'They can be spent once your friend has confirmed the email address, and are good for 12 months.',
  ],
] as const

/** What the programme is, for visitors: inviting needs an account. */
export function ReferralProgramme() {
  const { state } = useSession()
  return (
    <div className="grid gap-8 lg:grid-cols-[2fr_3fr] lg:gap-14">
      <div>
        <h2 className="font-display text-xl font-medium tracking-tight">
          {CREDITS_PER_FRIEND} credits for you, {CREDITS_PER_FRIEND} for your friend
        </h2>
        <p className="mt-2 text-ink-2">
          One credit pays for one AI request beyond your plan’s daily limit. Please sign in to invite friends.
        </p>
        <div className="mt-5 flex flex-wrap gap-2">
          <PricingHeaderLinks isSignedIn={state === 'signed-in'} />
        </div>
      </div>
      <ol className="border-t border-line">
        {STEPS.map(([title, text], index) => (
          <li key={title} className="grid grid-cols-[2.5rem_1fr] border-b border-line py-4">
            <span aria-hidden className="font-display text-lg text-ink-2 tabular-nums">
              {index + 1}
            </span>
            <div>
              <h3 className="font-medium">{title}</h3>
              <p className="text-ink-2">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}
