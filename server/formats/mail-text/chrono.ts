import { createRequire } from 'node:module'
import type * as Chrono from 'chrono-node'

const load = createRequire(import.meta.url)

/** chrono-node, loaded when the first text is read for a time: a start does not need its 266 files. */
export const chronoNode = (): typeof Chrono => load('chrono-node') as typeof Chrono
