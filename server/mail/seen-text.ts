import { HIDDEN, replaceHidden } from '#contract/hidden-characters.ts'

/** Runs of what nobody sees. */
export const UNSEEN = new RegExp(`${HIDDEN}+`, 'gu')

/** Text without what nobody sees: whoever reads it has read all of it, in its order. */
export const seenText = (text: string): string => replaceHidden(text, () => '')

/** A name that would be taken for an address, which the mail does not come from. */
export const looksLikeAddress = (name: string) => /[@＠﹫]/.test(name)
