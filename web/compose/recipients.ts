import { isEmailAddress } from '#contract/values.ts'

/** Splits recipients as a user types them: `ann@x.org, "Berg, Bea" <bea@y.org>; cy@z.org`. */
export function recipientsOf(typed: string): string[] {
  const found: string[] = []
  let one = ''
  let isQuoted = false
  for (const char of typed) {
    if (char === '"') isQuoted = !isQuoted
    if (!isQuoted && (char === ',' || char === ';' || char === '\n')) {
      found.push(one.trim())
      one = ''
    } else one += char
  }
  found.push(one.trim())
  return found.filter((each) => each !== '')
}

/** The bare address of a recipient. */
export function addressOf(recipient: string): string {
  return (/<([^<>]*)>\s*$/.exec(recipient)?.[1] ?? recipient).trim()
}

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
