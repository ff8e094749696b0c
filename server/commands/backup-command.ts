import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { rowsIn, takeBackup } from '../operations/backup/backup.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { reachEmbeddedPostgres } from '../platform/database/embedded.ts'
import { Refusal } from '../platform/errors.ts'
import { askPassphrase } from './operator-terminal.ts'

const USAGE = `Usage: npm run backup [-- --to FOLDER] [--keep N] [--passphrase | --passphrase-file FILE]
  --to FOLDER              where to write it; without it DATA_DIR/backups
  --keep N                 after a good backup, removes all but the newest N of the folder
  --passphrase             asks for a passphrase and seals the secret key into the file
  --passphrase-file FILE   reads the passphrase from the first line of a file`

const PASSPHRASE_MIN = 12

/**
 * Runs `npm run backup`, beside Howl or while Howl is stopped.
 *
 * @returns the sentences to print
 * @throws Error with a sentence for the operator
 */
export async function runBackupCommand(
  config: Config,
  args: readonly string[],
  say: (words: string) => void,
): Promise<string> {
  const given = readArguments(args)
  const passphrase = await passphraseOf(given, true)
  const postgres = await reach(config)
  try {
    const clock = systemClock(config.clockOffsetSeconds)
    const options = { to: given.to ?? null, keep: given.keep, passphrase }
    const taken = await takeBackup({ config, url: postgres.url, clock, say }, options)
    const { file, bytes, seconds, manifest, removed } = taken
    const key =
      manifest.key.place === 'inside'
        ? 'The secret key is in it, under your passphrase.'
        : `The secret key is beside it, in ${path.basename(file, '.tar')}.key. Keep both, in different places: with the two together, everything can be read.`
    return [
      `The backup is whole: ${file}`,
      `${rowsIn(manifest).toLocaleString('en')} rows and ${manifest.blobs.files.toLocaleString('en')} files in ${(bytes / 1_000_000).toFixed(1)} MB, written and read back in ${seconds} s.`,
      key,
      ...(removed > 0 ? [`${removed} older ${removed === 1 ? 'backup was' : 'backups were'} removed.`] : []),
    ].join('\n')
  } finally {
    await postgres.stop()
  }
}

function readArguments(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        to: { type: 'string' },
        keep: { type: 'string' },
        passphrase: { type: 'boolean' },
        'passphrase-file': { type: 'string' },
      },
    })
    const keep = values.keep === undefined ? null : Number(values.keep)
    if (keep !== null && !(Number.isInteger(keep) && keep >= 1))
      throw new Error('--keep takes a number from 1 on.')
    return { ...values, keep }
  } catch (error) {
    throw new Refusal(400, `${(error as Error).message}\n${USAGE}`)
  }
}

/** The passphrase, from a file or asked for; null where none is wanted. */
export async function passphraseOf(
  given: { passphrase?: boolean; 'passphrase-file'?: string },
  isNew: boolean,
): Promise<string | null> {
  const file = given['passphrase-file']
  const text =
    file === undefined
      ? given.passphrase === true
        ? await askPassphrase(isNew)
        : null
      : ((await readFile(file, 'utf8')).split(/\r?\n/)[0] ?? '')
  if (text !== null && isNew && text.length < PASSPHRASE_MIN)
    throw new Refusal(400, `A passphrase has at least ${PASSPHRASE_MIN} characters.`)
  return text
}

/** The database for a command: that of the running Howl, else one of its own. */
async function reach({ databaseUrl, dataDir }: Config) {
  if (databaseUrl !== null) return { url: databaseUrl, stop: async () => {} }
  const log = pino({ level: 'warn', base: null }, pino.destination({ dest: process.stderr.fd, sync: true }))
  return reachEmbeddedPostgres({ dataDir: path.resolve(dataDir), log })
}
