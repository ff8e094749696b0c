import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import axe, { type Result } from 'axe-core'

/**
 * How pages are looked at: each width once and each scheme once. Colours come from tokens that no width changes, and
 * layouts do not change with the scheme, so both together show what all four would.
 */
const LOOKS = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const

/**
 * Fails where axe finds anything that would keep somebody out, or something is wider than the window, in each look of the page
 * as it is. With `SHOTS=folder` it also leaves pictures there.
 *
 * @param inside the part that is looked at: a selector; the whole page if absent
 */
export async function expectSound(page: Page, inside?: string): Promise<void> {
  const before = page.viewportSize()
  for (const { width, colorScheme } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await laidOut(page, width)
    await expectSoundLook(page, inside)
  }
  await page.emulateMedia({ colorScheme: null })
  if (before !== null) await page.setViewportSize(before)
}

/** Until the page knows of its width: what depends on it is drawn in the next frame. */
async function laidOut(page: Page, width: number): Promise<void> {
  await page.waitForFunction((wanted) => innerWidth === wanted, width)
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
  })
}

async function expectSoundLook(page: Page, inside: string | undefined): Promise<void> {
  const folder = process.env['SHOTS']
  if (folder !== undefined) {
    const name = `${test.info().title} ${Date.now()}`.replaceAll(/[^\w]+/g, '-')
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }
  const found = await violationsOf(page, inside)
  expect(found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

/** The builder looks into frames, and takes seconds, as it describes all that is well too: only a page with frames needs it. */
async function violationsOf(page: Page, inside: string | undefined): Promise<Result[]> {
  if (page.frames().length > 1) {
    const builder = new AxeBuilder({ page })
    return (await (inside === undefined ? builder : builder.include(inside)).analyze()).violations
  }
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (part) => {
    const loaded = (window as unknown as { axe: typeof axe }).axe
    return (await loaded.run(part ?? document, { resultTypes: ['violations'] })).violations
  }, inside)
}
