/** A bar's height from 0 to 1. Any count above 0 is visible, however high the others are. */
export function barHeight(value: number, most: number): number {
  return value === 0 ? 0 : Math.max(value / most, LEAST_HEIGHT)
}
const LEAST_HEIGHT = 0.06
