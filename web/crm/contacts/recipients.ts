import { mailboxOf, recipientsOf } from '#contract/formats/address-line.ts'
import { isEmailAddress } from '#contract/platform/values.ts'

/** The bare address of a recipient. */
export const addressOf = (recipient: string): string => mailboxOf(recipient).address

/** The first recipient that is not an address; null if all are. */
export function badRecipient(typed: string): string | null {
  return recipientsOf(typed).find((each) => !isEmailAddress(addressOf(each))) ?? null
}

/** The recipient that is still being typed: the part after the last separator. */
export function beingTyped(typed: string): string {
  return /[^,;\n]*$/.exec(typed)?.[0].trim() ?? ''
}

/** The list with a chosen recipient in place of the one being typed, ready for the next one. */
export function withChosen(typed: string, name: string, address: string): string {
  const before = typed.slice(0, typed.length - (/[^,;\n]*$/.exec(typed)?.[0].length ?? 0)).trim()
  const plain = name.trim() === '' || name === address ? address : `${quoted(name)} <${address}>`
  return `${before === '' ? '' : `${before} `}${plain}, `
}

const quoted = (name: string) =>
  /^[\p{L}\p{N} .'-]+$/u.test(name) ? name : `"${name.replaceAll(/["\\]/g, '')}"`
