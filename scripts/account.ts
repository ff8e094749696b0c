// A command of the operator about one account: npm run account -- restore <email>
import { runAccountCommand } from '../server/commands/account-commands.ts'
import { readConfig } from '../server/platform/config.ts'

try {
  console.log(await runAccountCommand(readConfig(), process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
