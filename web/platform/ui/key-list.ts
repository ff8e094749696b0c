/**
 * A line in the list of shortcuts. Several `keys` are pressed one after another or are alternatives, as `does` says.
 */
type KeyLine = { keys: readonly string[]; does: string }
export type KeyGroup = { title: string; lines: readonly KeyLine[] }
