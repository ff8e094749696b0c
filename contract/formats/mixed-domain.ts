/** Scripts in use today (UAX 31, table 5): a label of one of them is honest. */
const SCRIPTS =
  'Latin Cyrillic Greek Arabic Hebrew Armenian Georgian Ethiopic Thai Lao Khmer Myanmar Tibetan Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thaana Hangul Han Hiragana Katakana Bopomofo'
/** "Highly restrictive" (UTS 39 5.2): what Japanese, Chinese and Korean write together. */
const TOGETHER = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul']
const HONEST = [...SCRIPTS.split(' '), ...TOGETHER].map((scripts) => {
  const letters = `${scripts} Common Inherited`.split(' ').map((script) => `\\p{Script_Extensions=${script}}`)
  return new RegExp(`^[${letters.join('')}]+$`, 'u')
})

/** Letters that look Latin, with the countries whose domains are written in their script; Chromium's rule. */
const LOOKS_LATIN: readonly (readonly [letters: RegExp, countries: RegExp])[] = [
  [/^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡ\d-]+$/u, /^(?:bg|by|kg|kz|me|mk|mn|rs|ru|su|tj|ua|uz)$/],
  [/^[αικνρυωηοτ\d-]+$/u, /^(?:cy|eu|gr)$/],
]

/** RFC 5321 4.5.3.1.2. */
const DOMAIN_MAX = 255

/**
 * A domain in ASCII (punycode), where its letters may be read as another domain's: a label mixes scripts, consists of
 * letters of another script that look Latin, or of characters that stand for others. Null where it is as it looks.
 */
export function deceptiveDomain(domain: string): string | null {
  if (/^[\x21-\x7e]*$/.test(domain) || domain.length > DOMAIN_MAX) return null
  const ascii = URL.parse(`https://${domain}`)?.hostname
  if (ascii === undefined) return null
  const names = ascii.split('.')
  const top = names.at(-1) ?? ''
  const labels = domain.toLowerCase().split(/[.\u3002\uff0e\uff61]/)
  const isHonest = labels.every(
    (label, at) =>
      /^[\x21-\x7e]*$/.test(label) || (names[at]?.startsWith('xn--') === true && isOfOneScript(label, top)),
  )
  return isHonest ? null : ascii
}

function isOfOneScript(label: string, top: string): boolean {
  if (!HONEST.some((pattern) => pattern.test(label))) return false
  // In a country's own script everything may be written; "xn--" is one of those.
  if (top.startsWith('xn--')) return true
  return !LOOKS_LATIN.some(([letters, countries]) => letters.test(label) && !countries.test(top))
}
