import { WolfHead } from '#web/platform/ui/WolfMark.tsx'
import { cx } from '#web/platform/ui/cx.ts'

// Written out so that the style sheet holds them: the served page may carry no inline styles.
const HEIGHTS = ['translate-y-[90%]', 'translate-y-[62%]', 'translate-y-[34%]', 'translate-y-[8%]']

/** The moon comes up behind the scene as the answers come in, and Howl's wolf calls it. */
export function Moonrise({ answers }: { answers: number }) {
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
