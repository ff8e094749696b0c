import { counted } from '#contract/platform/counted.ts'
import type { Finding } from '#contract/operations/system-health.ts'
import { isForOthers } from '../../../platform/config.ts'
import { makeDialGuard } from '../../../platform/security/addresses.ts'
import { testSmtp } from '../../../platform/gateways/smtp.ts'
import { about, failure, ok, percent, secondsBetween, span, warning } from '../finding.ts'
import type { HealthContext } from '../health-context.ts'
import { hostsInTrouble, mailboxTrouble, outgoingMail, systemMails } from '../store.ts'

const DAY_MS = 86_400_000
const HOSTS_SHOWN = 5
/** A mail server that is well answers sooner (ms). */
const SMTP_DEADLINES = { connect: 5000, greeting: 5000, command: 8000 }

/** Mail that nothing holds back leaves soon. */
export async function checkOutgoingMail({ db, clock, limits }: HealthContext) {
  const now = clock.now()
  const { waiting, due, oldest, unsure } = await outgoingMail(db, now)
  const late = oldest === null ? 0 : secondsBetween(oldest, now)
  const seen =
    waiting === 0
      ? 'No mail waits to be sent.'
      : `${counted(waiting, 'mail waits', 'mails wait')} to be sent, ${due.toLocaleString('en')} of them now.`
  const findings = [
    late > limits.mailLate
      ? failure(
          `${seen} The oldest should have left ${span(late)} ago.`,
          'Mail does not leave, though nothing holds it back.',
          'See whether background work is running, and whether this server may connect to mail servers (ports 465 and 587).',
        )
      : ok(seen),
  ]
  if (unsure > 0)
    findings.push(
      about(
        'Unsure',
        ok(
          `Of ${counted(unsure, 'mail', 'mails')} nobody can tell whether the server took it. Howl looks for it in the Sent folder.`,
        ),
      ),
    )
  return findings
}

/** How many mailboxes of users can neither send nor be read. */
export async function checkMailboxes({ db, clock, limits }: HealthContext) {
  const now = clock.now()
  const found = await mailboxTrouble(db, now)
  if (found.mailboxes === 0) return ok('No user has connected a mailbox yet.')
  const all = counted(found.mailboxes, 'mailbox is', 'mailboxes are')
  if (found.sending === 0 && found.reading === 0) return ok(`${all} connected, and all of them work.`)
  const hosts = await hostsInTrouble(db, now, HOSTS_SHOWN)
  const findings: Finding[] = []
  const add = (subject: string, count: number, kind: string, seen: string) => {
    if (count === 0) return
    const at = hosts
      .filter((each) => each.kind === kind)
      .map(({ host, mailboxes }) => `${host} (${mailboxes})`)
    const share = count / found.mailboxes
    const isMany = count > 1 && share > limits.mailboxesMany
    const whole = `${seen} Most are at ${at.join(', ')}.`
    findings.push(
      about(
        subject,
        isMany
          ? failure(
              whole,
              `${percent(share)} of all mailboxes are in trouble: this is hardly their owners’ doing.`,
              'See whether these servers are down, and whether this server may connect to them.',
            )
          : warning(
              whole,
              'These mailboxes wait for their owners.',
              'Nothing for you to do: each owner reads the server’s words in Profile & Settings. Ask them if it lasts.',
            ),
      ),
    )
  }
  const since = (at: Date | null, what: string) =>
    at === null ? '' : ` ${what} ${span(Math.max(0, secondsBetween(at, now)))}.`
  add(
    'Sending',
    found.sending,
    'send',
    `${found.sending} of ${all} refused by the mail server.${since(found.since, 'The oldest mail has waited for')}`,
  )
  add(
    'Reading',
    found.reading,
    'read',
    `${found.reading} of ${all} not being read.${since(found.unread_since, 'One has not been read for')}`,
  )
  return findings
}

/** The server of mails from Howl itself lets us in, and its outbox is empty. */
export async function checkSystemMail({ config, db, clock, limits }: HealthContext) {
  const now = clock.now()
  const outbox = await systemMails(db, new Date(now.getTime() - DAY_MS))
  const findings = [await triedSystemServer(config)]
  const { waiting, oldest, failed, reason } = outbox
  const late = oldest === null ? 0 : secondsBetween(oldest, now)
  if (late > limits.systemMailLate)
    findings.push(
      about(
        'Outbox',
        failure(
          `${counted(waiting, 'mail waits', 'mails wait')}, the oldest for ${span(late)}.`,
          'Codes and links reach nobody.',
          'See whether the server above takes mail, and whether background work is running.',
        ),
      ),
    )
  else if (failed > 0)
    findings.push(
      about(
        'Outbox',
        warning(
          `${counted(failed, 'mail was', 'mails were')} refused within a day${reason === null ? '.' : `: ${reason}`}`,
          'Somebody waits for a code or a link in vain.',
          'Often the address was mistyped. If the server refuses your sender, set “from” in SYSTEM_SMTP_URL.',
        ),
      ),
    )
  return findings
}

async function triedSystemServer(config: HealthContext['config']): Promise<Finding> {
  const smtp = config.systemSmtp
  if (smtp === null)
    // Where others sign up, they wait for a code in vain, and anyone who reads the log can take over an account.
    return (isForOthers(config) ? failure : warning)(
      'SYSTEM_SMTP_URL is not set.',
      'Password codes are only written to the log: nobody gets them by email, and anybody who reads the log can use them.',
      'Set SYSTEM_SMTP_URL, for example smtps://you%40example.com:password@smtp.example.com:465, and restart Howl.',
    )
  const { host, port, useTls, username, password } = smtp
  const security = !useTls ? 'plain' : port === 465 ? 'tls' : 'starttls'
  const { ok: isWell, detail } = await testSmtp(
    { host, port, security, username, password },
    {
      guard: makeDialGuard({ allowPrivate: true, ports: new Set([port]) }),
      deadlines: SMTP_DEADLINES,
    },
  )
  const how = { tls: 'encrypted', starttls: 'encrypted by STARTTLS', plain: 'not encrypted' }[security]
  if (isWell)
    return ok(`${host}:${port} answers, ${how}${username === '' ? '' : ', and takes the password'}.`)
  return failure(
    `${host}:${port}: ${detail}`,
    'Codes and links for new passwords do not leave.',
    'Correct SYSTEM_SMTP_URL, and restart Howl.',
  )
}
