import path from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { withOperatorContext } from './account-commands.ts'
import { heldUsersAfter, restoreBackup, rowsIn, sendHeld } from '../operations/backup/backup.ts'
import { passphraseOf } from './backup-command.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { startEmbeddedPostgres } from '../platform/database/embedded.ts'
import { Refusal } from '../platform/errors.ts'
import { liveEvents } from '../platform/http/events.ts'
import { ask } from './operator-terminal.ts'
import { dropHeldSystemMails, releaseSystemMails } from '../accounts/system-mail/system-mail.ts'

const USAGE = `Usage: npm run restore -- FILE [--replace [--yes]] [--passphrase | --passphrase-file FILE]
       npm run restore -- --resume [--all]
  FILE       a backup; Howl must be stopped
  --replace  replaces a Howl that has accounts; asks first, unless --yes is given
  --resume   sends and reads mail again, for all users who have not done so: but not what may have left before
  --all      … and also what may have left, as far as it is not in the Sent folder`

const USERS_AT_ONCE = 500

/**
 * Runs `npm run restore`.
 *
 * @returns the sentences to print
 * @throws Error with a sentence for the operator
 */
export async function runRestoreCommand(
  config: Config,
  args: readonly string[],
  say: (words: string) => void,
): Promise<string> {
  const { values, positionals } = readArguments(args)
  if (values.resume === true && positionals.length === 0) return resumeAll(config, values.all === true)
  const [file] = positionals
  if (file === undefined || positionals.length > 1 || values.resume === true || values.all === true)
    throw new Refusal(400, USAGE)
  const passphrase = await passphraseOf(values, false)
  const log = pino({ level: 'warn', base: null }, pino.destination({ dest: process.stderr.fd, sync: true }))
  const postgres =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir: path.resolve(config.dataDir), log })
      : { url: config.databaseUrl, stop: async () => {} }
  try {
    const clock = systemClock(config.clockOffsetSeconds)
    const mayReplace = values.replace === true ? (values.yes === true ? async () => true : confirm) : null
    const { manifest, carried, seconds } = await restoreBackup(
      { config, url: postgres.url, clock, say },
      { file, passphrase, mayReplace },
    )
    return [
      `The backup of ${manifest.taken_at.toISOString()} is restored: ${rowsIn(manifest).toLocaleString('en')} rows and ${manifest.blobs.files.toLocaleString('en')} files, compared, in ${seconds} s.`,
      ...(carried === undefined
        ? []
        : [
            `From the Howl that was here: ${carried.suppressions} newer suppressed addresses, ${carried.deletedAccounts} deleted accounts, ${carried.bans} bans, ${carried.demoted} people who are no administrators any more, ${carried.leftEmails} emails that had left, ${carried.mailedContacts} contacts of bulk runs that were mailed.`,
            ...missing(carried.missingAccounts),
          ]),
      'No mail is sent or read yet: each user sees what waits and says so, or you do for all, with npm run restore -- --resume.',
      'Everybody has to log in again. The activity log ends earlier than before: npm run activities -- check names the gap, npm run activities -- accept accepts it.',
    ].join('\n')
  } finally {
    await postgres.stop()
  }
}

function missing(accounts: number): string[] {
  if (accounts === 0) return []
  const which =
    accounts === 1
      ? '1 account was missing there: it is'
      : `${accounts} accounts were missing there: they are`
  return [`${which} deleted now, and can be restored for 30 days with npm run account -- restore.`]
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        replace: { type: 'boolean' },
        yes: { type: 'boolean' },
        resume: { type: 'boolean' },
        all: { type: 'boolean' },
        passphrase: { type: 'boolean' },
        'passphrase-file': { type: 'string' },
      },
    })
  } catch (error) {
    throw new Refusal(400, `${(error as Error).message}\n${USAGE}`)
  }
}

async function confirm(people: number): Promise<boolean> {
  const accounts = people === 1 ? '1 account' : `${people.toLocaleString('en')} accounts`
  const answer = await ask(
    `This Howl has ${accounts}. All of it is replaced, and nothing brings it back but a backup of it.\nType “replace” to go on: `,
  )
  return answer.trim().toLowerCase() === 'replace'
}

/** Ends the hold of every user who has not done so. */
async function resumeAll(config: Config, all: boolean): Promise<string> {
  return withOperatorContext(config, async (context) => {
    let users = 0
    for (let after = 0; ;) {
      const held = await heldUsersAfter(context.db, after, USERS_AT_ONCE)
      for (const userId of held) await sendHeld({ ...context, live: liveEvents }, userId, { leaveOut: !all })
      users += held.length
      if (held.length < USERS_AT_ONCE) break
      after = held.at(-1) ?? after
    }
    const mails = all ? await releaseSystemMails(context.db, context.clock.now()) : 0
    if (!all) await dropHeldSystemMails(context.db)
    const who = users === 1 ? '1 user' : `${users.toLocaleString('en')} users`
    return all
      ? `Mail of ${who} is sent and read again, and ${mails} mails of Howl itself are sent.`
      : `Mail of ${who} is sent and read again, but for what may have left before.`
  })
}
