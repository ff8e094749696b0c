/** A line of the list of keys; several `keys` stand for one after the other, or for either, as the words say. */
export type KeyLine = { keys: readonly string[]; does: string }
export type KeyGroup = { title: string; lines: readonly KeyLine[] }
