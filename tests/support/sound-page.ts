import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'

/**
 * How pages are looked at: each width once and each scheme once. Colours come from tokens that no width changes, and
 * layouts do not change with the scheme, so both together show what all four would.
 */
export const LOOKS = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const

/** Gives the page this width and scheme; nothing moves. */
export async function lookAt(page: Page, { width, colorScheme }: (typeof LOOKS)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: 900 })
}

/**
 * Fails where axe finds anything that would keep somebody out, or something is wider than the window. With `SHOTS=folder` it
 * also leaves a picture there.
 *
 * @param inside the part that is looked at: a selector; the whole page if absent
 */
export async function expectSound(page: Page, inside?: string): Promise<void> {
  const folder = process.env['SHOTS']
  if (folder !== undefined) {
    const name = `${test.info().title} ${Date.now()}`.replaceAll(/[^\w]+/g, '-')
    await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }
  const builder = new AxeBuilder({ page })
  const { violations } = await (inside === undefined ? builder : builder.include(inside)).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}
