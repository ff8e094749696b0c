import { Copy, Share2 } from 'lucide-react'
import { CREDITS_PER_FRIEND, referrals } from '#contract/operations/referrals.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** The user's code, to copy, to read out, and to share. */
export function ReferralCode() {
  const query = useEndpoint(referrals.myCode)
  return (
    <Card title="Your referral code">
      <Loaded
        query={query}
        failed="Your code could not be loaded."
        waiting={<Skeleton className="h-20 w-full" />}
      >
        {({ code, link }) => <Code code={code} link={link} />}
      </Loaded>
    </Card>
  )
}

function Code({ code, link }: { code: string; link: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code)
      toast.success('Referral code copied to clipboard!')
    } catch {
      // No permission, or a page without encryption, where there is no clipboard.
      toast.error('Failed to copy referral code')
    }
  }
  // Closing the sheet rejects too: that is no failure.
  const share = () =>
    navigator
      .share({
        title: 'Howl',
        text: `Sign up for Howl with my code ${code}: we both get ${CREDITS_PER_FRIEND} credits.`,
        url: link,
      })
      .catch(() => undefined)
  const canShare = typeof navigator.share === 'function'
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <code className="font-mono text-lg font-medium tracking-[0.12em] select-all">{code}</code>
        <div className="flex gap-2">
          <Button icon={<Copy aria-hidden className="size-4" />} onClick={() => void copy()}>
            Copy code
          </Button>
          {canShare ? (
            <Button icon={<Share2 aria-hidden className="size-4" />} onClick={() => void share()}>
              Share
            </Button>
          ) : null}
        </div>
      </div>
      <p className="mt-3 text-ink-2">
        Friends type it at sign-up, or open <span className="break-all text-ink select-all">{link}</span>
      </p>
    </>
  )
}
