import type { ChainReport } from '#contract/accounts/activities.ts'
import { acceptGaps, checkActivities } from '../accounts/activities/activities.ts'
import { type CommandContext, withOperatorContext } from './account-commands.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database/handles.ts'
import { Refusal } from '../platform/errors.ts'

const USAGE = `Usage: npm run activities -- check | accept
  check    compares every row with its seal and its place in the chain
  accept   accepts positions that are missing, as they are after an older backup was restored; the log says so`

type Said = { ok: boolean; text: string }

const COMMANDS: Record<string, (context: CommandContext & { db: Database }) => Promise<Said>> = {
  check: async (context) => {
    const report = await checkActivities(context)
    return { ok: report.ok, text: inWords(report) }
  },
  accept: async (context) => {
    const gaps = await acceptGaps({ ...context, stopping: new AbortController().signal })
    const named = gaps.map(({ first, last }) =>
      first === last
        ? `Position ${first} is accepted as gone.`
        : `Positions ${first} to ${last} are accepted as gone.`,
    )
    return { ok: true, text: [...named, 'The activity log says so.'].join('\n') }
  },
}

/**
 * Runs `npm run activities -- check` or `accept`.
 *
 * @throws Error with a sentence for the operator
 */
export async function runActivitiesCommand(config: Config, args: readonly string[]): Promise<Said> {
  const command = args.length === 1 ? COMMANDS[args[0] ?? ''] : undefined
  if (command === undefined) throw new Refusal(400, USAGE)
  return withOperatorContext(config, command)
}

/** A report as the operator reads it. */
function inWords(report: ChainReport): string {
  const { ok, checked, waiting, erased, position, cleared, faults, more } = report
  const count = (number: number) => number.toLocaleString('en')
  const facts = [
    `${count(checked)} activities compared.`,
    `The chain reaches to position ${count(position)}${cleared > 0 ? `; up to ${count(cleared)} it was cleared because of its age` : ''}.`,
    ...(waiting > 0 ? [`${count(waiting)} wait for their link.`] : []),
    ...(erased > 0 ? [`${count(erased)} were erased with their accounts.`] : []),
  ]
  if (ok) return [...facts, 'Nothing was changed, removed or inserted.'].join('\n')
  return [
    ...facts,
    'SOMEBODY HAS CHANGED THE ACTIVITY LOG:',
    ...faults.map(({ what }) => `  ${what}`),
    ...(more ? ['  … and more.'] : []),
  ].join('\n')
}
