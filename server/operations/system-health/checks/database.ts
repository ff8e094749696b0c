import { compareMigrations, LAST_OLD_HOWL } from '../../../platform/database/migrate.ts'
import { about, bytes, failure, ok, percent, span, warning } from '../finding.ts'
import type { HealthContext } from '../health-context.ts'
import { databaseFigures } from '../store.ts'

/** Answers, has free connections, and nothing keeps it from clearing up. */
export async function checkDatabase({ db, limits }: HealthContext) {
  const began = performance.now()
  const found = await databaseFigures(db)
  const took = (performance.now() - began) / 1000
  const seen = `PostgreSQL ${found.version.split(' ')[0]}, ${bytes(found.bytes)}, answered in ${Math.round(took * 1000)} ms.`
  const answers =
    took > limits.databaseSlow
      ? warning(
          seen,
          'The database answers slowly, and so does every page.',
          'See whether the disk or the processor of this server is busy with something else.',
        )
      : ok(seen)
  const { connections, connections_max: max, oldest_transaction: oldest } = found
  const used = `${connections} of ${max} connections are in use.`
  const advice =
    'See what else uses this PostgreSQL, run fewer processes of Howl, or raise max_connections in its settings.'
  const share = connections / max
  const inUse =
    share >= limits.connectionsAll
      ? failure(used, 'New connections will soon be refused.', advice)
      : share >= limits.connectionsMany
        ? warning(used, `${percent(share)} of the connections are in use.`, advice)
        : ok(used)
  const findings = [answers, about('Connections', inUse)]
  if (oldest !== null && oldest > limits.transactionLong)
    findings.push(
      about(
        'Long transaction',
        warning(
          `A transaction has been open for ${span(oldest)}.`,
          'While it is open the database cannot clear up, and grows.',
          'If no backup or report is running, end it: SELECT pid, query FROM pg_stat_activity ORDER BY xact_start; SELECT pg_terminate_backend(pid);',
        ),
      ),
    )
  return findings
}

/** The database fits this version of Howl. */
export async function checkMigrations({ db, config }: HealthContext) {
  const { pending, newer, tooOld } = await compareMigrations(db)
  const seen = `Howl ${config.version} on Node ${process.versions.node}.`
  if (tooOld !== null)
    return failure(
      `${seen} The database is too old for this version to bring it up to date (its last change is ${tooOld}).`,
      'This version does not start on it.',
      `Start ${LAST_OLD_HOWL} on it once, then start this one.`,
    )
  if (newer.length > 0)
    return failure(
      `${seen} The database was changed by a newer version (${newer.at(-1)}).`,
      'This version does not know the database it works on.',
      'Start the newer version of Howl, or bring back a backup from before the upgrade.',
    )
  if (pending.length > 0)
    return warning(
      `${seen} The database lacks ${pending.length === 1 ? 'a change' : `${pending.length} changes`} of this version (${pending[0]}).`,
      'The database is still that of an older version.',
      'Start Howl: it makes the changes by itself. Make a backup before.',
    )
  return ok(`${seen} The database is up to date.`)
}
