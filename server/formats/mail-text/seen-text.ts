import { HIDDEN, replaceHidden } from '#contract/formats/hidden-characters.ts'

/** Runs of what nobody sees. */
export const UNSEEN = new RegExp(`${HIDDEN}+`, 'gu')

/** Text without what nobody sees: what is read is all of it, in its order. */
export const seenText = (text: string): string => replaceHidden(text, () => '')
