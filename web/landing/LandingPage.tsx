import { Play } from 'lucide-react'
import { useRef } from 'react'
import { WolfyButton } from '#web/assistant/WolfyButton.tsx'
import { paths } from '#web/platform/paths.ts'
import { WolfMark } from '#web/platform/ui/WolfMark.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Tooltips } from '#web/platform/ui/Tooltips.tsx'
import { Details } from './Details.tsx'
import { LandingFooter } from './LandingFooter.tsx'
import { PlainLink, type LinkLike } from './link.tsx'
import { Moonrise } from './Moonrise.tsx'
import { Promises } from './Promises.tsx'
import { Scene } from './Scene.tsx'
import { sceneAt } from './scene-script.ts'
import { useScene } from './use-scene.ts'

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
