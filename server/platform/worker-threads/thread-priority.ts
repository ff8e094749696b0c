import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/** What a thread in the background may take is what the others leave: the main thread answers users. */
const IN_THE_BACKGROUND = 10

/**
 * Lets every other thread go before this one. Linux gives a priority to a thread; elsewhere it is the whole process's, and
 * nothing is changed.
 */
export function giveWayToOtherThreads(): void {
  if (process.platform !== 'linux') return
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), IN_THE_BACKGROUND)
}
