import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { outreach } from '#contract/outreach/runs.ts'

type LeftOut = Pick<ReplyOf<typeof outreach.estimateAudience>['skipped'][number], 'contacts' | 'names'>

/** The contacts that get no mail for one reason: "Ana, Bob, Carl and 9 more". */
export function namesOf({ contacts, names }: LeftOut): string {
  const others = contacts - names.length
  if (others > 0) return `${names.join(', ')} and ${others.toLocaleString('en')} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
