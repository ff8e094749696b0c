import { contactNames } from '../../contacts/contacts.ts'
import { addressKey, parseAddressList } from '../../mail/addresses.ts'
import type { ListedEmail } from './store.ts'
import type { Queryable } from '../../database/handles.ts'

/** No row of a list has room for more of its recipients. */
const NAMED_CHARS_MAX = 2_000

/** Names of contacts by the key of their address. */
export type ContactNames = ReadonlyMap<string, string>

/** Whether the user has written this mail. Put away, a mail keeps the folder that it came from. */
const isOutgoing = ({ direction, folder, original_folder: from }: ListedEmail) =>
  direction === 'out' || folder === 'sent' || from === 'sent' || from === 'drafts'

/**
 * The contacts among the recipients of these mails, by one look-up for all; none where every mail has one recipient,
 * whose contact comes with its row.
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
 * The recipients of a mail that the user has written, for a list: each by the name beside the address, else by the
 * contact's, else by the address. Of other mails nothing.
 */
export function recipientNames(row: ListedEmail, names: ContactNames): string {
  if (!isOutgoing(row)) return ''
  const nameOf = (address: string) => {
    const key = addressKey(address)
    const own = key === row.correspondent_key ? row.contact_name : null
    return own || names.get(key) || address
  }
  if (/^[^\s,;<>"()]+@[^\s,;<>"()]+$/.test(row.to_line)) return nameOf(row.to_line)
  const { to, isCut } = recipientsOf(row.to_line)
  const shown = to.map(({ name, address }) => name || nameOf(address))
  // What is no address yet stands as it was typed.
  if (shown.length === 0) return row.to_line.slice(0, NAMED_CHARS_MAX)
  return [...shown, ...(isCut ? ['…'] : [])].join(', ')
}

function recipientsOf(line: string) {
  const isCut = line.length > NAMED_CHARS_MAX
  const start = line.slice(0, NAMED_CHARS_MAX)
  return { to: parseAddressList(isCut ? start.slice(0, start.lastIndexOf(',')) : start), isCut }
}
