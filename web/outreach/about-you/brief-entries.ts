import type { Brief, BriefFields } from '#contract/outreach/briefs.ts'

/** What stands in the form: without a saved brief, nothing. */
export function entriesOf(saved: Brief | null): BriefFields {
  if (saved === null)
    return {
      offer: '',
      audience: '',
      benefit: '',
      proof: '',
      ask: '',
      tone: 'plain',
      language: 'en',
      signature: '',
    }
  const { version: _, made_at: __, ...fields } = saved
  return fields
}

/** Entries of whoever left the page by a way that cannot be asked about (Back, a key): they stand there again. */
let left: { userId: number; entries: BriefFields } | null = null

export function keepUnsaved(userId: number, entries: BriefFields | null): void {
  left = entries === null ? null : { userId, entries }
}

export function takeUnsaved(userId: number): BriefFields | null {
  return left?.userId === userId ? left.entries : null
}
