import type { KeptAudience } from '#contract/crm/contacts.ts'
import { cutText } from '../../platform/text.ts'

/** Longer names are cut: a filter may hold several long texts. */
const NAME_MAX = 200

type Filter = Extract<KeptAudience, { filter: unknown }>['filter']

/** What a run to an audience is called: "To 42 contacts tagged fair, never mailed". */
export function audienceName(audience: KeptAudience, count: number): string {
  const many = `${count.toLocaleString('en')} ${count === 1 ? 'contact' : 'contacts'}`
  if ('contact_ids' in audience) return `To ${many} of your choice`
  const said = wordsOf(audience.filter)
  const name = said.length === 0 ? `To all ${many}` : `To ${many} ${said.join(', ')}`
  return name.length <= NAME_MAX ? name : `${cutText(name, NAME_MAX - 1)}…`
}

function wordsOf(filter: Filter): string[] {
  const { tag, status, company, position, email_domain: domain, search } = filter
  const dates = datesOf(filter)
  return [
    ...(tag === undefined ? [] : [`tagged ${tag}`]),
    ...(status === undefined || status === 'all' ? [] : [`with status ${statusWord(status)}`]),
    ...(company === undefined ? [] : [`at ${company}`]),
    ...(position === undefined ? [] : [`with position ${position}`]),
    ...(domain === undefined ? [] : [`with addresses at ${domain}`]),
    ...(dates === null ? [] : [dates]),
    ...(filter.never_mailed === undefined ? [] : ['never mailed']),
    ...(filter.opened_invoice === undefined ? [] : ['who opened an invoice']),
    ...(search === undefined ? [] : [`found by “${search}”`]),
    ...(filter.ids === undefined ? [] : ['of your choice']),
  ]
}

function datesOf({ last_contact_from: from, last_contact_to: to }: Filter): string | null {
  if (from !== undefined && to !== undefined) return `last contacted from ${from} to ${to}`
  if (from !== undefined) return `last contacted since ${from}`
  return to === undefined ? null : `last contacted until ${to}`
}

const statusWord = (status: string) => status.replaceAll('_', ' ')
