import type { Email } from '#contract/emails.ts'

type Page = { rows: Email[]; total: number }
/** `news`: mails have come that would have moved the page on. */
export type HeldPage = { page: Page; news: boolean }

/**
 * A page behind the first does not slide away under its reader when mail comes in: its rows stay, brought up to date,
 * and the news is told instead. Everything else (`still` false, or rows that are gone) is shown as it is.
 */
export function holdStill(before: HeldPage | undefined, fresh: Page, still: boolean): HeldPage {
  if (before === undefined) return { page: fresh, news: false }
  const known = new Set(before.page.rows.map(({ id }) => id))
  const grew = fresh.total > before.page.total && fresh.rows.some(({ id }) => !known.has(id))
  if (!still || !grew) return { page: fresh, news: before.news }
  const byId = new Map(fresh.rows.map((row) => [row.id, row]))
  const rows = before.page.rows.map((row) => byId.get(row.id) ?? row)
  return { page: { rows, total: fresh.total }, news: true }
}
