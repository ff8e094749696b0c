// A command of the operator: npm run backup
import { readConfig } from '../server/platform/config.ts'
import { runBackupCommand } from '../server/commands/backup-command.ts'

try {
  // Progress is for whoever sits at a terminal; cron gets the result alone.
  const say = (words: string) => void (process.stderr.isTTY && console.error(words))
  console.log(await runBackupCommand(readConfig(), process.argv.slice(2), say))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
