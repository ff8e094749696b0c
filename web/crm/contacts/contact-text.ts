import { COMPUTED_STATUSES, CONTACT_STATUSES } from '#contract/crm/contacts.ts'
import { LIFTABLE, type SuppressionReason } from '#contract/crm/suppressions.ts'
import { statusWord } from '#web/platform/ui/StatusBadge.tsx'

/** How many words of a contact's notes a row shows. */
const PREVIEW_WORDS = 6

/** The first words of the notes; `isCut` if there are more. */
export function notesPreview(notes: string): { text: string; isCut: boolean } {
  const words = notes.split(/\s+/).filter((word) => word !== '')
  const isCut = words.length > PREVIEW_WORDS
  return { text: isCut ? `${words.slice(0, PREVIEW_WORDS).join(' ')}…` : words.join(' '), isCut }
}

/** The date of the last mail in either direction, in the user's zone. */
export function lastContactText(instant: string | null, timeZone: string): string {
  if (instant === null) return 'Never'
  const day = new Date(instant)
  if (Number.isNaN(day.getTime())) return 'Invalid date'
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone }).format(day)
}

const option = (value: string) => ({ value, label: statusWord(value) })

/** The statuses that the user can choose. */
export const OWN_STATUS_OPTIONS = CONTACT_STATUSES.map(option)

/** The options of the status filter: all, the statuses from mails and meetings, the user's own. */
export const STATUS_FILTER_OPTIONS = [
  { value: 'all', label: 'All statuses' },
  ...[...COMPUTED_STATUSES, ...CONTACT_STATUSES].map(option),
]

const SUPPRESSED: Readonly<Record<SuppressionReason, string>> = {
  unsubscribed: 'No emails: unsubscribed',
  bounced: 'No emails: bounced',
  complaint: 'No emails: complained',
  manual: 'No emails',
  asked: 'May have unsubscribed',
  declined: 'Said no',
}

const SUPPRESSED_SENTENCES: Readonly<Record<SuppressionReason, string>> = {
  unsubscribed: 'This contact gets no emails because they unsubscribed. Only they can change that.',
  bounced: 'This contact gets no emails because an email to this address bounced.',
  complaint: 'This contact gets no emails because they marked an email as spam. Only they can change that.',
  manual: 'This contact gets no emails because you stopped them.',
  asked:
    'This contact gets no emails because an email from this address asked to unsubscribe. Not sure it was them? Ask another way, then allow emails again.',
  declined:
    'This contact said no in a reply, so outreach, follow-ups and sequences skip them. You can still email them yourself.',
}

/** Why no mail is sent to a contact, as a sentence. */
export const suppressedSentence = (why: SuppressionReason): string => SUPPRESSED_SENTENCES[why]

/** True if the user may allow mail again. */
export const isLiftable = (why: SuppressionReason): boolean => LIFTABLE.includes(why)

/** Why no mail is sent to a contact, in a word or two. */
export const suppressedText = (why: SuppressionReason): string => SUPPRESSED[why]
