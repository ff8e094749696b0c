import { Resolver } from 'node:dns/promises'

/** One question takes no longer than this, with one more try (ms). */
const TIMEOUT_MS = 2000
const TRIES = 2
/** Records of one name that are read, and characters of each: a server that tells more is cut off. */
const RECORDS_MAX = 50
const RECORD_LENGTH_MAX = 4096

/** Answers that mean that there is no such record; every other error means that nobody can tell. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA'])

/** The name servers did not answer, or made no sense. */
export class NoDnsAnswer extends Error {
  override readonly name = 'NoDnsAnswer'
}

export type DnsRecords = ReturnType<typeof makeDnsRecords>

/**
 * Asks name servers for records.
 *
 * @param servers addresses to ask; null: those of this machine
 * @param signal gives all questions up
 */
export function makeDnsRecords(servers: readonly string[] | null, signal: AbortSignal) {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers !== null) resolver.setServers(servers)
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  return {
    /** The TXT records of a name; empty where there are none. @throws {NoDnsAnswer} */
    txt: async (name: string): Promise<string[]> => {
      try {
        const records = await resolver.resolveTxt(name)
        return records.slice(0, RECORDS_MAX).map((pieces) => pieces.join('').slice(0, RECORD_LENGTH_MAX))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code !== undefined && NOTHING_THERE.has(code)) return []
        throw new NoDnsAnswer(`No name server answered for ${name} (${code ?? 'no reason given'})`, {
          cause: error,
        })
      }
    },
  }
}
