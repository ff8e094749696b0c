import { RECIPIENTS_MAX } from '#contract/mail/email-writing.ts'
import type { SuppressionReason } from '#contract/crm/suppressions.ts'
import type { Context } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { invalidInput } from '../../../platform/errors.ts'
import {
  type Address,
  addressKey,
  formatAddress,
  isSendable,
  parseAddressList,
} from '../../../formats/mail-text/addresses.ts'
import { envelopeOf } from '../delivery/envelope.ts'
import { adoptKeptSuppressions } from '../suppressions/kept-suppressions.ts'
import { stopsMail } from '../suppressions/stops-mail.ts'
import { suppressedAmong } from '../suppressions/suppressions-store.ts'
import type { Purpose } from '../tables.ts'

export type Recipients = {
  /** As the mail shows them. */
  to: string
  cc: string
  bcc: string
  /** Bare addresses for the SMTP envelope, each once, starting with the first of To. */
  envelope: string[]
}

type AddressLines = { to: string; cc: string; bcc: string }
type RecipientField = keyof AddressLines

const INVALID = 'Please enter a valid email address'
const SUPPRESSION_TEXTS: Readonly<Record<SuppressionReason, string>> = {
  unsubscribed: 'has unsubscribed from your mail',
  bounced: 'does not exist: mail to it bounced',
  complaint: 'has reported your mail as spam',
  manual: 'is on your do-not-mail list',
  asked: 'may have unsubscribed (see the contact’s page)',
  declined: 'has said no',
}

/**
 * Checks and normalizes the recipients of a mail: every address is valid, and none is suppressed for mail of this purpose.
 *
 * @throws Refusal 400 that names the first address with a problem
 */
export async function checkRecipients(
  context: Context,
  db: Queryable,
  userId: number,
  lines: AddressLines,
  purpose: Purpose | null = null,
): Promise<Recipients> {
  const to = addressesOf('to', lines.to)
  if (to.length === 0) throw invalidInput(INVALID, { to: INVALID })
  const cc = addressesOf('cc', lines.cc)
  const bcc = addressesOf('bcc', lines.bcc)
  const envelope = envelopeOf([...to, ...cc, ...bcc])
  if (envelope.length > RECIPIENTS_MAX) {
    const why = `At most ${RECIPIENTS_MAX} recipients per email`
    throw invalidInput(`${why}; this one has ${envelope.length}.`, { to: why })
  }
  await checkSuppressed(context, db, userId, { to, cc, bcc }, purpose)
  return { to: line(to), cc: line(cc), bcc: line(bcc), envelope }
}

function addressesOf(field: RecipientField, typed: string): Address[] {
  // A line break in an address is never intended: some program would read what follows as another header.
  // oxlint-disable-next-line no-control-regex -- this looks for control characters
  const entries = /[\u0000-\u001f\u007f]/.test(typed) ? null : parseAddressList(typed)
  // "two words@x.example" parses as a name and an address, but nobody types it to mean that.
  const bad = entries?.find(
    ({ name, address }) => !isSendable(address) || (name !== '' && !typed.includes(`<${address}`)),
  )
  if (entries !== null && bad === undefined && (entries.length > 0 || typed.trim() === '')) return entries
  if ((entries?.length ?? 0) <= 1) throw invalidInput(INVALID, { [field]: INVALID })
  const shown = (bad?.address || bad?.name || typed).slice(0, 100)
  const why = `${INVALID}: “${shown}” is not one`
  throw invalidInput(why, { [field]: why })
}

async function checkSuppressed(
  context: Context,
  db: Queryable,
  userId: number,
  fields: Record<RecipientField, Address[]>,
  purpose: Purpose | null,
): Promise<void> {
  const keys = Object.values(fields).flatMap((each) => each.map(({ address }) => addressKey(address)))
  await adoptKeptSuppressions(context, db, userId, keys)
  const suppressed = await suppressedAmong(db, userId, keys)
  if (suppressed.size === 0) return
  for (const [field, addresses] of Object.entries(fields)) {
    for (const { address } of addresses) {
      const reason = suppressed.get(addressKey(address))
      if (reason === undefined || !stopsMail(reason, purpose)) continue
      const why = SUPPRESSION_TEXTS[reason]
      throw invalidInput(`${address} ${why}. Nothing was sent.`, { [field]: `This address ${why}.` })
    }
  }
}

const line = (addresses: readonly Address[]) => addresses.map(formatAddress).join(', ')
