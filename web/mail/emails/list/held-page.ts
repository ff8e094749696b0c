import type { Email } from '#contract/mail/emails.ts'

type Page = { rows: Email[]; total: number }
/** `news`: new mails have arrived that would have shifted the page. */
export type HeldPage = { page: Page; news: boolean }

/**
 * Keeps a page after the first from shifting when new mail arrives: its rows stay, brought up to date, and `news` is
 * set. Any other change is shown as it is, also if `still` is false.
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
