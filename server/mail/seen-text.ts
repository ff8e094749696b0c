/** What nobody sees, or what turns the words around it: format, filler, tag and private characters, variation selectors. */
export const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu
/** A joiner within a word of a script that needs it, or within an emoji; the sign that makes an emoji coloured. */
const JOINS = /^\ufe0f?[\u200c\u200d]?$/
const JOINED = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\d#*]|\p{M}|(?!\p{Script=Latin})\p{L})$/u

/** Text without what nobody sees: whoever reads it has read all of it, in its order. */
export function seenText(text: string): string {
  return text.replaceAll(UNSEEN, (run, at: number) =>
    JOINS.test(run) && JOINED.test(text.slice(Math.max(0, at - 2), at)) ? run : '',
  )
}

/** A name that would be taken for an address, which the mail does not come from. */
export const looksLikeAddress = (name: string) => /[@＠﹫]/.test(name)
