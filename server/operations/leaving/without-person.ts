const REMOVED = '[removed]'
/** Shorter names are ordinary words: taking them out would leave nothing to read. */
const NAME_MIN = 4
const ADDRESS = /[^\s<>(),;:"]+@[^\s<>(),;:"]+\.[^\s<>(),;:"]+/gu
/** Seven digits or more, with what people write between them. */
const PHONE = /\+?\d(?:[\s()./-]*\d){6,}/gu

/** A text without mail addresses, phone numbers and these names. */
export function withoutPerson(text: string, names: readonly string[]): string {
  let kept = text.replaceAll(ADDRESS, REMOVED).replaceAll(PHONE, REMOVED)
  for (const name of names.toSorted((one, other) => other.length - one.length))
    if (name.length >= NAME_MIN) kept = kept.replaceAll(new RegExp(literal(name), 'giu'), REMOVED)
  return kept
}

const literal = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
