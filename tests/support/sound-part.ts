import axe from 'axe-core'
import { expect, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'

/** As in `sound-page.ts`: each width once and each scheme once. */
const LOOKS = [
  { width: 1440, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const

/**
 * Fails where axe finds anything that would keep somebody out, or something is wider than the window, in each look of what a
 * component test shows.
 *
 * @param inside the part that is looked at: a selector; the whole page if absent
 */
export async function expectSound(inside?: string): Promise<void> {
  const { style } = document.documentElement
  const asBefore = () => {
    style.colorScheme = ''
    return page.viewport(1440, 900)
  }
  onTestFinished(asBefore)
  for (const { width, scheme } of LOOKS) {
    style.colorScheme = scheme
    await page.viewport(width, 900)
    await laidOut(width)
    const { violations } = await axe.run(inside ?? document, { resultTypes: ['violations'] })
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    expect(found).toEqual([])
    expect(document.documentElement.scrollWidth - innerWidth).toBeLessThanOrEqual(0)
  }
  await asBefore()
}

/** Until the page knows of its width: what depends on it is drawn in the next frame. */
async function laidOut(width: number): Promise<void> {
  await expect.poll(() => innerWidth).toBe(width)
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
}
