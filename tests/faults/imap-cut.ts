import { runSql } from '#server/platform/database/transaction.ts'
import { ImapFailure } from '#server/platform/gateways/imap.ts'
import { startDovecot } from '../support/dovecot.ts'
import { startCuttingProxy } from '../support/hostile-imap.ts'
import { testMail } from '../support/mail-servers.ts'
import { connectReader, readOnce } from '../support/reading.ts'
import { seeded } from '../support/seeded.ts'
import { startTestApp } from '../support/test-app.ts'

export type CutTally = { cuts: number; hit: number; missed: number; doubled: number; aside: number }

/**
 * Syncs an account of `inbox` + `archive` mails again and again, each time for a new user, with the connection cut at a random
 * byte of the server's output; then once more without a cut, and counts what is missing or stored twice.
 */
export async function cutSyncs(options: {
  cuts: number
  seed: number
  inbox: number
  archive: number
}): Promise<CutTally> {
  const random = seeded(options.seed)
  const dovecot = await startDovecot({ users: { ada: 'pass' } })
  const proxy = await startCuttingProxy({ target: dovecot })
  const app = await startTestApp({ roles: ['web'] })
  const wanted = options.inbox + options.archive
  try {
    await dovecot.deliverMany('ada', 'INBOX', mails('in', options.inbox, random))
    await dovecot.deliverMany('ada', 'Archive', mails('old', options.archive, random))
    const server = { ...dovecot.user('ada'), host: proxy.host, port: proxy.port }
    const before = proxy.bytesFromTarget
    await readOnce(app, await connectReader(app, server))
    const whole = proxy.bytesFromTarget - before
    const tally = { cuts: options.cuts, hit: 0, missed: 0, doubled: 0, aside: 0 }
    for (let at = 0; at < options.cuts; at += 1) {
      const reader = await connectReader(app, server)
      proxy.setCut(1 + Math.floor(random() * whole), random() < 0.5 ? 'reset' : 'end')
      const connections = proxy.connections
      const failed = await readOnce(app, reader).then(
        () => false,
        (error: unknown) => {
          if (!(error instanceof ImapFailure)) throw error
          return true
        },
      )
      if (failed || proxy.connections > connections + 1) tally.hit += 1
      proxy.setCut(null)
      await readOnce(app, reader)
      const { rows } = await runSql(
        app.context.db,
        `SELECT (SELECT count(*) - count(DISTINCT message_id) FROM emails WHERE user_id = $1) AS doubled,
           (SELECT count(DISTINCT message_id) FROM emails WHERE user_id = $1 AND has_body) AS mails,
           (SELECT count(*) FROM email_bodies WHERE user_id = $1) AS bodies,
           (SELECT count(*) FROM quarantined_mails WHERE user_id = $1) AS aside`,
        [reader.id],
      )
      const [{ doubled, mails: different, bodies, aside }] = rows as [
        Record<'doubled' | 'mails' | 'bodies' | 'aside', number>,
      ]
      tally.missed += wanted - Math.min(different, bodies)
      tally.doubled += doubled
      tally.aside += aside
    }
    return tally
  } finally {
    await app.end()
    await proxy.stop()
    await dovecot.stop()
  }
}

function mails(prefix: string, count: number, random: () => number): string[] {
  return Array.from({ length: count }, (_, at) =>
    testMail(
      { 'Message-ID': `<${prefix}${at}@far.example>`, Subject: `${prefix} ${at}` },
      `${'words '.repeat(1 + Math.floor(random() ** 6 * 3000))}\r\n`,
    ),
  )
}
