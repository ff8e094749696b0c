// A command of the operator about the activity log: npm run activities -- check
import { runActivitiesCommand } from '../server/commands/activities-command.ts'
import { readConfig } from '../server/platform/config.ts'

try {
  const { ok, text } = await runActivitiesCommand(readConfig(), process.argv.slice(2))
  console.log(text)
  if (!ok) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
