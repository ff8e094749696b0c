import { RECIPIENTS_MAX } from '#contract/email-writing.ts'
import type { Context } from '../../context.ts'
import { invalidInput } from '../../errors.ts'
import {
  type Address,
  addressKey,
  formatAddress,
  isSendable,
  parseAddressList,
} from '../../mail/addresses.ts'
import { envelopeOf } from '../delivery/envelope.ts'
import { suppressedAmong } from '../suppressions/suppressions-store.ts'

export type Recipients = {
  /** As they stand in the mail. */
  to: string
  cc: string
  bcc: string
  /** Bare addresses for the server, each once, the first of To first. */
  envelope: string[]
}

type Lines = { to: string; cc: string; bcc: string }
type Field = keyof Lines

const INVALID = 'Please enter a valid email address'
const WHY = {
  unsubscribed: 'has unsubscribed from your mail',
  bounced: 'does not exist: mail to it came back',
  complaint: 'has reported your mail as spam',
  manual: 'is on your do-not-mail list',
}

/**
 * Whom a mail goes to: every address can be written, and none is off the list.
 *
 * @throws Refusal 400 that names the first address with which something is wrong
 */
export async function checkRecipients(context: Context, userId: number, lines: Lines): Promise<Recipients> {
  const to = addressesOf('to', lines.to)
  if (to.length === 0) throw invalidInput(INVALID, { to: INVALID })
  const cc = addressesOf('cc', lines.cc)
  const bcc = addressesOf('bcc', lines.bcc)
  const envelope = envelopeOf([...to, ...cc, ...bcc])
  if (envelope.length > RECIPIENTS_MAX) {
    const why = `At most ${RECIPIENTS_MAX} recipients in one mail`
    throw invalidInput(`${why}; these are ${envelope.length}.`, { to: why })
  }
  await checkSuppressed(context, userId, { to, cc, bcc })
  return { to: line(to), cc: line(cc), bcc: line(bcc), envelope }
}

function addressesOf(field: Field, typed: string): Address[] {
  // A line break in an address is never meant: what came after it would be read as another header somewhere.
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  const entries = /[\u0000-\u001f\u007f]/.test(typed) ? null : parseAddressList(typed.replaceAll(';', ','))
  // "two words@x.example" could be read as a name and an address; whoever typed it meant neither.
  const bad = entries?.find(
    ({ name, address }) => !isSendable(address) || (name !== '' && !typed.includes(`<${address}`)),
  )
  if (entries !== null && bad === undefined && (entries.length > 0 || typed.trim() === '')) return entries
  if ((entries?.length ?? 0) <= 1) throw invalidInput(INVALID, { [field]: INVALID })
  const shown = (bad?.address || bad?.name || typed).slice(0, 100)
  const why = `${INVALID}: “${shown}” is none`
  throw invalidInput(why, { [field]: why })
}

async function checkSuppressed(
  context: Context,
  userId: number,
  fields: Record<Field, Address[]>,
): Promise<void> {
  const keys = Object.values(fields).flatMap((each) => each.map(({ address }) => addressKey(address)))
  const off = await suppressedAmong(context.db, userId, keys)
  if (off.size === 0) return
  for (const [field, addresses] of Object.entries(fields)) {
    for (const { address } of addresses) {
      const reason = off.get(addressKey(address))
      if (reason === undefined) continue
      const why = WHY[reason]
      throw invalidInput(`${address} ${why}. Nothing was sent.`, { [field]: `This address ${why}.` })
    }
  }
}

const line = (addresses: readonly Address[]) => addresses.map(formatAddress).join(', ')
