import path from 'node:path'
import { pino, type Logger } from 'pino'
import { makeAdministrator, newAccessCodes, unmakeAdministrator } from '../accounts/admin-auth/admin-auth.ts'
import { removeLostTwoStep } from '../accounts/auth/auth.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { connect } from '../platform/database/connect.ts'
import type { Database } from '../platform/database/handles.ts'
import { reachEmbeddedPostgres } from '../platform/database/embedded.ts'
import { migrate } from '../platform/database/migrate.ts'
import { Refusal } from '../platform/errors.ts'
import { restoreAccount, type RestoreContext } from '../operations/leaving/leaving.ts'
import { secretKey } from '../platform/secret-key.ts'
import { makeSecretBox } from '../platform/security/secret-box.ts'

/** What a command of the operator may use. It runs beside Howl, or while Howl is stopped. */
export type CommandContext = RestoreContext

/** Changes the account with an address; returns the sentence for the operator. */
type AccountCommand = (context: CommandContext, email: string) => Promise<string>
/** … without any account. */
type HouseCommand = (context: CommandContext) => Promise<string>

const COMMANDS: Record<string, AccountCommand> = {
  restore: async (context, email) => {
    const restored = await restoreAccount(context, email)
    return `The account ${restored} is restored. Its mail stays paused until its owner presses “Resume mail”.`
  },
  'remove-two-step': async (context, email) => {
    const freed = await removeLostTwoStep(context, email)
    return `Two-step sign-in of ${freed} is removed, and a mail tells its owner.`
  },
  'make-admin': async (context, email) => {
    const made = await makeAdministrator(context, email)
    return `${made} is an administrator now and can log in at ${context.config.publicUrl}/admin-login.`
  },
  'unmake-admin': async (context, email) => {
    const unmade = await unmakeAdministrator(context, email)
    return `${unmade} is no administrator any more. The account itself stays as it is.`
  },
}

const HOUSE_COMMANDS: Record<string, HouseCommand> = {
  'new-access-codes': async (context) => {
    if (context.config.accessCodes !== null)
      throw new Refusal(400, 'The access codes are those of ADMIN_ACCESS_CODES. Change them there.')
    const codes = await newAccessCodes(context)
    return `These access codes replace the earlier ones. Write them down, they are shown only now:\n${codes.join('\n')}`
  },
}

const USAGE = `Usage: npm run account -- <command> <email>\nCommands: ${Object.keys(COMMANDS).join(', ')}\nWithout an email: ${Object.keys(HOUSE_COMMANDS).join(', ')}`

/**
 * Runs `npm run account -- <command> <email>`.
 *
 * @returns the sentence to print
 * @throws Error with a sentence for the operator
 */
export async function runAccountCommand(config: Config, args: readonly string[]): Promise<string> {
  const [name = '', email = ''] = args
  const ofHouse = args.length === 1 ? HOUSE_COMMANDS[name] : undefined
  const ofAccount = args.length === 2 && email !== '' ? COMMANDS[name] : undefined
  const command = ofHouse ?? ofAccount
  if (command === undefined) throw new Refusal(400, USAGE)
  return withOperatorContext(config, (context) => command(context, email))
}

/** Opens the database for a command of the operator, beside Howl or while Howl is stopped, and closes it again. */
export async function withOperatorContext<T>(
  config: Config,
  work: (context: CommandContext & { db: Database }) => Promise<T>,
): Promise<T> {
  // The operator reads the sentence; only trouble stands beside it.
  const log = pino({ level: 'warn', base: null }, pino.destination({ dest: process.stderr.fd, sync: true }))
  const postgres = await reachPostgres(config, log)
  const database = connect(postgres.url, () => {})
  try {
    await migrate(database.db)
    const secrets = makeSecretBox(await secretKey(config.secretKey, config.dataDir))
    const clock = systemClock(config.clockOffsetSeconds)
    return await work({ config, db: database.db, clock, log, secrets })
  } finally {
    await database.close()
    await postgres.stop()
  }
}

async function reachPostgres({ databaseUrl, dataDir }: Config, log: Logger) {
  if (databaseUrl !== null) return { url: databaseUrl, stop: async () => {} }
  return reachEmbeddedPostgres({ dataDir: path.resolve(dataDir), log })
}
