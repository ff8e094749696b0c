import { addressKey, isSendable } from '../addresses.ts'
import { ADDRESS, tidyAddress } from './report-parts.ts'
import { ASKS_TO_WRITE, DAEMON, HELP_ADDRESS, QUOTED_HEADER, BEFORE_OTHER_ADDRESS } from './report-phrases.ts'

/** An address in a report, with its line. */
export type NamedRecipient = { address: string; at: number }

type Candidate = NamedRecipient & { before: string; leads: boolean }

/** Longer lines are not part of a list of recipients. */
const MAX_LINE_CHARS = 2_000
/** Limit of the sentence before an address. */
const MAX_BEFORE_CHARS = 300

/** How a list entry begins: a bullet, a number, a word and a colon. */
const LIST_ENTRY =
  /^[\s<"'*•·-]{0,40}(?:\d{1,3}[.)]\s{0,9})?(?:(?:final |original )?(?:recipient|address|to|failed)\w*\s{0,9}:\s{0,9})?[<"']{0,2}$/i
const BETWEEN_ENTRIES = /^[>"']{0,2}\s{0,9}(?:[,;&]|and|und|et|y|e)\s{0,9}[<"']{0,2}$/i
const COMMANDED = /rcpt to\s{0,9}:?\s{0,9}<?$/i

/** True for something that mail can be sent to: no pipe, path or host name. */
export function isRecipient(address: string): boolean {
  return isSendable(address) && !/^["\\/|.]/.test(address)
}

/**
 * The addresses that the lines of a report say something of, in their order: those that begin an entry of a list, else
 * those of SMTP commands, else the first of all. Never those of quoted headers, links and people to ask; `ours` only
 * where there is no other.
 */
export function recipientsIn(lines: readonly string[], ours: ReadonlySet<string>): NamedRecipient[] {
  const usable = candidatesIn(lines)
  const foreign = usable.filter(({ address }) => !ours.has(addressKey(address)))
  for (const pool of [foreign, usable]) {
    const leading = pool.filter(({ leads }) => leads)
    const commanded = pool.filter(({ before }) => COMMANDED.test(before))
    const found = [leading, commanded, pool.slice(0, 1)].find((some) => some.length > 0)
    if (found) return firstOfEach(found)
  }
  return []
}

/** The lines of these addresses; 0 for one that is not found. */
export function recipientsNamed(lines: readonly string[], named: readonly string[]): NamedRecipient[] {
  const places = new Map(
    candidatesIn(lines)
      .toReversed()
      .map(({ address, at }) => [addressKey(address), at]),
  )
  return firstOfEach(named.map((address) => ({ address, at: places.get(addressKey(address)) ?? 0 })))
}

function firstOfEach(found: readonly NamedRecipient[]): NamedRecipient[] {
  const first = new Map<string, NamedRecipient>()
  for (const { address, at } of found) {
    const key = addressKey(address)
    if (!first.has(key)) first.set(key, { address, at })
  }
  return [...first.values()].toSorted((a, b) => a.at - b.at)
}

function candidatesIn(lines: readonly string[]): Candidate[] {
  const isHeader = lines.map((line) => QUOTED_HEADER.test(line))
  return lines.flatMap((line, at) => {
    if (line.length > MAX_LINE_CHARS || !line.includes('@') || isQuoted(lines, isHeader, at)) return []
    const candidates: Candidate[] = []
    let end = 0
    let leads = true
    for (const { 0: found, index } of line.matchAll(ADDRESS)) {
      const gap = line.slice(end, index)
      leads = leads && (end === 0 ? LIST_ENTRY : BETWEEN_ENTRIES).test(gap)
      end = index + found.length
      const before = sentenceBefore(lines, at, index)
      const address = tidyAddress(found)
      if (isRecipient(address) && !isHelp(address, line, index, end) && !isSomeoneElse(before)) {
        candidates.push({ address, at, before, leads })
      }
    }
    return candidates
  })
}

/** Part of the original mail inside the report: a quoted line, or a header among headers. */
function isQuoted(lines: readonly string[], isHeader: readonly boolean[], at: number): boolean {
  if (/^\s{0,9}>(?!>> )/.test(lines[at] ?? '')) return true
  return isHeader[at] === true && (isHeader[at - 1] === true || isHeader[at + 1] === true)
}

/** What stands before an address, from the line above on where a sentence goes over the end of the line. */
function sentenceBefore(lines: readonly string[], at: number, index: number): string {
  const above = lines[at - 1]?.trim() ?? ''
  const own = (lines[at] ?? '').slice(Math.max(0, index - MAX_BEFORE_CHARS), index)
  if (above === '' || above.includes('@') || /[:.!?;,>-]$/.test(above)) return own
  return `${above.slice(-MAX_BEFORE_CHARS)} ${own}`
}

/** "please contact postmaster@…", but not "postmaster@…: Domain does not exist". */
function isHelp(address: string, line: string, start: number, end: number): boolean {
  if (/daemon/i.test(address)) return true
  if (!DAEMON.test(address) && !HELP_ADDRESS.test(address)) return false
  return line.slice(0, start).trim().length > 1 || !/^["'>]{0,2}\s{0,9}(?::|$)/.test(line.slice(end))
}

const isSomeoneElse = (before: string): boolean =>
  BEFORE_OTHER_ADDRESS.test(before.trimEnd()) || ASKS_TO_WRITE.test(before)
