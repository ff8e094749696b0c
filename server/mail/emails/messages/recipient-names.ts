import { shownAddress, shownMailbox } from '#contract/formats/shown-sender.ts'
import { contactNames } from '../../../crm/contacts/contacts.ts'
import { addressKey, parseAddressList } from '../../../formats/mail-text/addresses.ts'
import type { ListedEmail } from './store.ts'
import type { Queryable } from '../../../platform/database/handles.ts'

/** A row of a list has no room for more recipients. */
const NAMED_CHARS_MAX = 2_000

/** Contact names by address key. */
export type ContactNames = ReadonlyMap<string, string>

/** Whether the user wrote this mail. An archived mail keeps the folder that it came from. */
const isOutgoing = ({ direction, folder, original_folder: from }: ListedEmail) =>
  direction === 'out' || folder === 'sent' || from === 'sent' || from === 'drafts'

/**
 * The names of the contacts among the recipients of these mails, in one query. A mail with one recipient needs none: that
 * contact comes with its row.
 */
export async function namesForRows(
  db: Queryable,
  userId: number,
  rows: readonly ListedEmail[],
): Promise<ContactNames> {
  const keys = rows
    .filter((row) => isOutgoing(row) && row.to_line.includes(','))
    .flatMap((row) => recipientsOf(row.to_line).to)
    .flatMap(({ name, address }) => (name === '' ? [addressKey(address)] : []))
  return keys.length === 0 ? new Map() : contactNames(db, userId, [...new Set(keys)])
}

/**
 * The recipients of a mail that the user wrote, for a list: each by the name in the mail, else the contact's name, else the
 * address. Empty for received mails.
 */
export function recipientNames(row: ListedEmail, names: ContactNames): string {
  if (!isOutgoing(row)) return ''
  const nameOf = (address: string) => {
    const key = addressKey(address)
    const own = key === row.correspondent_key ? row.contact_name : null
    return own || names.get(key) || shownAddress(address)
  }
  if (/^[^\s,;<>"()]+@[^\s,;<>"()]+$/.test(row.to_line)) return nameOf(row.to_line)
  const { to, isCut } = recipientsOf(row.to_line)
  const shown = to.map(({ name, address }) =>
    name === '' ? nameOf(address) : shownMailbox({ name, address }),
  )
  // In a draft the line may not be an address yet: it is shown as typed.
  if (shown.length === 0) return row.to_line.slice(0, NAMED_CHARS_MAX)
  return [...shown, ...(isCut ? ['…'] : [])].join(', ')
}

function recipientsOf(line: string) {
  const isCut = line.length > NAMED_CHARS_MAX
  const start = line.slice(0, NAMED_CHARS_MAX)
  return { to: parseAddressList(isCut ? start.slice(0, start.lastIndexOf(',')) : start), isCut }
}
