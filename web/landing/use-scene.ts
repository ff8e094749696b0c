import { useCallback, useEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react'
import { LAST_STEP } from './scene-script.ts'

const STEP_MS = 1_050
/** A breath before the first mail leaves. */
const START_MS = 700

/**
 * Runs the scene once when it comes into view; `play` runs it again. With reduced motion it stands at its end from the
 * start, but still plays, without transitions, when asked to.
 */
export function useScene(stage: RefObject<HTMLElement | null>) {
  const still = useSyncExternalStore(onMotionChange, wantsStill, () => false)
  const [played, setPlayed] = useState<number | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const play = useCallback(() => {
    clearTimeout(timer.current)
    const advance = (next: number) => {
      setPlayed(next)
      if (next < LAST_STEP)
        timer.current = setTimeout(() => advance(next + 1), next === 0 ? START_MS : STEP_MS)
    }
    advance(0)
  }, [])

  useEffect(() => {
    if (still || !stage.current) return undefined
    const seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        seen.disconnect()
        play()
      },
      { threshold: 0.2 },
    )
    seen.observe(stage.current)
    return () => {
      seen.disconnect()
      clearTimeout(timer.current)
    }
  }, [stage, play, still])

  return { step: played ?? (still ? LAST_STEP : 0), play }
}

const motion = () => window.matchMedia('(prefers-reduced-motion: reduce)')
const wantsStill = () => motion().matches

function onMotionChange(listener: () => void) {
  const query = motion()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
