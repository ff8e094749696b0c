// A command of the operator: npm run restore
import { readConfig } from '../server/platform/config.ts'
import { runRestoreCommand } from '../server/commands/restore-command.ts'

try {
  // Progress is for whoever sits at a terminal; cron gets the result alone.
  const say = (words: string) => void (process.stderr.isTTY && console.error(words))
  console.log(await runRestoreCommand(readConfig(), process.argv.slice(2), say))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
