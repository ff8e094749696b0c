/** What nobody sees, or what turns the words around it: format, filler, tag and private characters, variation selectors. */
export const HIDDEN = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]`

/** Scripts in which a joiner says which form a letter takes. */
const JOINING =
  'Arabic Syriac Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan'
const UNSPACED = 'Thai Lao Khmer Myanmar'
const anyOf = (scripts: string) =>
  `[${scripts.replaceAll(/\w+ ?/g, (script) => `\\p{Script_Extensions=${script.trim()}}`)}]`

/** Hidden characters where honest writing needs them. */
const NEEDED = [
  String.raw`(?<=(?!${HIDDEN})${anyOf(JOINING)})[\u200c\u200d](?!${HIDDEN})`,
  // Words of a language that writes no blanks.
  String.raw`(?<=(?!${HIDDEN})${anyOf(UNSPACED)})\u200b(?=(?!${HIDDEN})${anyOf(UNSPACED)})`,
  // Forms of an ideograph in names, of a Mongolian letter, of an emoji; emoji of several; flags of regions.
  String.raw`(?<=\p{Script=Han})[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=\p{Script=Mongolian}\p{M}?)[\u180b-\u180d\u180f]`,
  String.raw`(?<=[\p{Extended_Pictographic}\d#*])[\ufe0e\ufe0f]`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\u{1f3f4})[\u{e0020}-\u{e007e}]{1,6}\u{e007f}`,
]
const EACH = new RegExp(`(${NEEDED.join('|')})|${HIDDEN}`, 'gu')
const ALL = new RegExp(HIDDEN, 'gu')

/** Replaces each hidden character, except where honest writing in Persian, Hindi, Thai, emoji and the like needs it. */
export function replaceHidden(text: string, by: (hidden: string) => string): string {
  return text.replaceAll(EACH, (found: string, needed: string | undefined) =>
    needed === undefined ? by(found) : found,
  )
}

/** Text in which every hidden character has a mark, also where honest writing needs it. */
export const markHidden = (text: string): string => text.replaceAll(ALL, markOf)

/** Text without any hidden character, for comparing. */
export const withoutHidden = (text: string): string => text.replaceAll(ALL, '')

/** "[U+202E]": a character that is not seen as it is. */
export const markOf = (hidden: string): string =>
  `[U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/** Marks in a row become one with their number: "[U+200B ×40]". */
export const joinedMarks = (text: string): string =>
  text.replaceAll(
    /\[(U\+[\dA-F]{4,6})\](?:\[\1\])+/g,
    (run: string, code: string) => `[${code} ×${run.length / (code.length + 2)}]`,
  )
