import { Play } from 'lucide-react'
import { useRef } from 'react'
import { WolfyButton } from '#web/assistant/WolfyButton.tsx'
import { paths } from '#web/platform/paths.ts'
import { WolfHead, WolfMark } from '#web/platform/ui/WolfMark.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Tooltips } from '#web/platform/ui/Tooltips.tsx'
import { LandingFooter } from './LandingFooter.tsx'
import { type LinkLike, PlainLink } from './link.tsx'
import { Scene } from './Scene.tsx'
import { sceneAt } from './scene-script.ts'
import { useScene } from './use-scene.ts'
import { ContactsDetail } from './details/ContactsDetail.tsx'
import { DraftDetail } from './details/DraftDetail.tsx'
import { InvoiceDetail } from './details/InvoiceDetail.tsx'
import { MeetingDetail } from './details/MeetingDetail.tsx'
import { RepliesDetail } from './details/RepliesDetail.tsx'
import { SequenceDetail } from './details/SequenceDetail.tsx'

export type LandingPageProps = {
  /** Get Started Free: opens the sign-up wizard. */
  onStart: () => void
  /** The visitor is about to start: a good moment to fetch the wizard. */
  onWarm: () => void
  link?: LinkLike
}

/** The front page. Rendered at build time too, so it carries no inline style and reads nothing from the browser at first. */
export function LandingPage({ onStart, onWarm, link: Anchor = PlainLink }: LandingPageProps) {
  const stage = useRef<HTMLDivElement>(null)
  const { step, play } = useScene(stage)
  const watch = () => {
    stage.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
    play()
  }
  return (
    <div className="min-h-dvh overflow-x-clip">
      <header className="mx-auto flex h-16 max-w-300 items-center justify-between px-4 md:px-6">
        <Anchor href={paths.home} className="flex items-center gap-2 rounded-md">
          <WolfMark />
          <span className="font-display text-lg font-semibold tracking-tight">Howl</span>
        </Anchor>
        <div className="flex items-center">
          <WolfyButton />
          <nav aria-label="Main">
            <Anchor href={paths.login} className={cx(buttonClass('plain'), '-mr-3')}>
              Login
            </Anchor>
          </nav>
        </div>
      </header>
      <main>
        <div className="mx-auto max-w-300 px-4 pt-8 pb-52 md:px-6 md:pt-14 md:pb-20">
          <h1 className="font-display text-[3.25rem] leading-none font-medium tracking-[-0.022em] [word-spacing:0.08em] sm:text-[4.5rem] lg:text-[5.5rem]">
            Call out.
            <br />
            Hear back.
          </h1>
          <p className="mt-6 max-w-lg text-md text-ink-2 md:text-lg">
            Howl is intelligent email automation for a small business: contacts, outreach, replies, meetings
            and invoices, on your own machine and through your own mailbox.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Button variant="primary" size="l" onClick={onStart} onPointerEnter={onWarm} onFocus={onWarm}>
              Get Started Free
            </Button>
            <Button size="l" icon={<Play aria-hidden className="size-4" />} onClick={watch}>
              Watch Demo
            </Button>
          </div>
        </div>
        <div ref={stage} className="relative mx-auto max-w-300 scroll-my-6 px-4 md:px-6">
          <Moonrise answers={sceneAt(step).arrived.length} />
          <Scene step={step} />
        </div>
        <Promises />
        <Details />
      </main>
      <LandingFooter link={Anchor} />
      <Tooltips />
    </div>
  )
}

/** The six things Howl does, each as a small working piece of itself. */
function Details() {
  return (
    <section aria-labelledby="details" className="mx-auto max-w-300 px-4 md:px-6">
      <h2
        id="details"
        className="font-display text-xl font-medium tracking-tight md:text-[2.25rem] md:leading-tight"
      >
        Six things Howl does. Try each one here.
      </h2>
      <div className="mt-8 grid gap-4 lg:grid-cols-12 lg:gap-5">
        <ContactsDetail className="lg:col-span-7" />
        <DraftDetail className="lg:col-span-5" />
        <RepliesDetail className="lg:col-span-5" />
        <MeetingDetail className="lg:col-span-7" />
        <InvoiceDetail className="lg:col-span-7" />
        <SequenceDetail className="lg:col-span-5" />
      </div>
    </section>
  )
}

// Written out so that the style sheet holds them: the served page may carry no inline styles.
const HEIGHTS = ['translate-y-[90%]', 'translate-y-[62%]', 'translate-y-[34%]', 'translate-y-[8%]']

/** The moon comes up behind the scene as the answers come in, and Howl's wolf calls it. */
function Moonrise({ answers }: { answers: number }) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 bottom-full h-48 overflow-hidden lg:h-96"
    >
      <svg
        viewBox="0 0 100 100"
        className={cx(
          'absolute right-[7%] bottom-0 size-44 transition-transform duration-1000 ease-out motion-reduce:transition-none md:right-[4%] md:size-52 lg:right-[7%] lg:size-80',
          HEIGHTS[Math.min(answers, HEIGHTS.length - 1)],
        )}
      >
        <circle cx="50" cy="50" r="50" className="fill-disc" />
        <circle cx="64" cy="30" r="9" className="fill-disc-sea" />
        <circle cx="76" cy="58" r="11" className="fill-disc-sea" />
        <circle cx="48" cy="13" r="4" className="fill-disc-sea" />
        <circle cx="84" cy="36" r="3.5" className="fill-disc-sea" />
      </svg>
      <svg
        viewBox="0 0 58 80"
        className="absolute right-[30%] bottom-0 h-32 translate-y-[3%] text-wolf md:right-[15%] md:h-40 lg:right-[22%] lg:h-60"
      >
        <WolfHead />
      </svg>
    </div>
  )
}

const promises = [
  ['Your own machine.', 'One command starts it. You register nowhere, and nobody else holds your contacts.'],
  ['Your own mailbox.', 'Mail leaves through your provider under your address, and replies come back to it.'],
  ['Never lost, never twice.', 'Every email is saved before it is sent, so a crash loses none.'],
  ['The model only proposes.', 'It drafts and suggests. Nothing is sent until you press Send.'],
] as const

/** What a careful buyer asks first. */
function Promises() {
  return (
    <dl className="mx-auto grid max-w-300 gap-x-10 gap-y-8 px-4 py-20 sm:grid-cols-2 md:px-6 md:py-24 lg:grid-cols-4">
      {promises.map(([claim, why]) => (
        <div key={claim} className="border-t border-ink pt-3">
          <dt className="font-medium">{claim}</dt>
          <dd className="mt-1 text-ink-2">{why}</dd>
        </div>
      ))}
    </dl>
  )
}
