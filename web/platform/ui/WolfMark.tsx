import { cx } from '#web/platform/ui/cx.ts'

/** Howl's logo: a wolf's head raised to the moon, in the text colour; the moon in the accent colour. */
export function WolfMark({ className }: { className?: string }) {
  return (
    <svg viewBox="3 -2 68 68" aria-hidden="true" className={cx('size-7', className)}>
      <circle cx="62" cy="8.5" r="8" className="fill-accent" />
      <WolfHead />
    </svg>
  )
}

/** Head and neck alone, in a box of 58 by 80. */
export function WolfHead() {
  return <path fillRule="evenodd" className="fill-current" d={HEAD} />
}

const HEAD =
  'M2 80C4.5 72 7 66 9.5 61L6.5 60.5C9 55 11.5 50 14 45.5L10.5 44.5C12 41.5 13.5 39 15.5 36.5C12 34 8.5 30.5 6 26' +
  'C11 25.6 17 25.4 21.5 26.2C27 22.4 31 18 36.5 12.5L45.5 4.8C47.6 3 50.4 4 50.8 6.4C51.1 8 50.2 9.2 49.2 10.2' +
  'L41.2 22.4C40.2 24.4 40.6 26.2 41.6 26.6C44.6 24 48.6 20 52.4 17.4C54 16.6 55.4 18 54.6 19.6C51.6 26 47.4 32.6 43.4 37.6' +
  'C42.6 43 43.4 47 45.4 51.5L42.6 51C44.4 57 46.6 61.5 49.4 66.5L46.2 65.8C47.8 71 49.6 75.5 52 80Z' +
  'M29.5 25.6C31.5 23.4 33.6 22.4 35.8 22.2C34.4 24.2 32.4 25.4 29.5 25.6Z'
