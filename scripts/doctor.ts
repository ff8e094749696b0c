// Whether this Howl is well, in words: npm run doctor [-- --json]
import { readConfig } from '../server/platform/config.ts'
import { runDoctorCommand } from '../server/commands/doctor-command.ts'

try {
  const { ok, text } = await runDoctorCommand(readConfig(), process.argv.slice(2))
  console.log(text)
  // A connection that hangs must not keep the command.
  process.exit(ok ? 0 : 1)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
