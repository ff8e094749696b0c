import { stat, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Finding } from '#contract/operations/system-health.ts'
import { askAddress } from '../../../platform/gateways/operators-address.ts'
import { about, bytes, failure, ok, percent, secondsBetween, span, unknown, warning } from '../finding.ts'
import type { HealthContext } from '../health-context.ts'
import { databaseFigures } from '../store.ts'

/** Free room where the database, the keys and the large mails are. */
export async function checkDisk({ config, limits }: HealthContext) {
  const folders = [config.dataDir, config.blobsDir]
  const places = await Promise.all(
    folders.map(async (folder) => ({ folder, device: (await stat(folder).catch(() => null))?.dev })),
  )
  const isApart = places[1]?.device !== undefined && places[0]?.device !== places[1].device
  const findings = await Promise.all(
    (isApart ? folders : folders.slice(0, 1)).map(async (folder) => {
      const { bavail, bsize, blocks, ffree, files } = await statfs(folder)
      const free = bavail * bsize
      const share = blocks === 0 ? 1 : bavail / blocks
      const seen = `${bytes(free)} of ${bytes(blocks * bsize)} are free at ${folder} (${percent(share)}).`
      const mend = 'Delete what is not needed, old logs and backups first, or give the disk more room.'
      const isBelow = (limit: { bytes: number; share: number }) => free < limit.bytes && share < limit.share
      if (isBelow(limits.diskFull) || (files > 0 && ffree / files < 0.01))
        return failure(seen, 'The disk is full. Soon nothing can be saved, sent or received.', mend)
      if (isBelow(limits.diskLittle)) return warning(seen, 'The disk is filling up.', mend)
      return ok(seen)
    }),
  )
  return findings
}

/** Memory that is left to this process, in its container too. */
export async function checkMemory({ limits }: HealthContext) {
  const free = process.availableMemory()
  const constrained = process.constrainedMemory()
  const total = constrained > 0 && constrained < os.totalmem() ? constrained : os.totalmem()
  const share = free / total
  const seen = `${bytes(free)} of ${bytes(total)} are free. This process uses ${bytes(process.memoryUsage.rss())}.`
  const mend = 'End other programs on this server, or give it more memory.'
  const isBelow = (limit: { bytes: number; share: number }) => free < limit.bytes && share < limit.share
  if (isBelow(limits.memoryFull))
    return failure(seen, 'There is hardly any memory left. The system may end Howl at any moment.', mend)
  if (isBelow(limits.memoryLittle)) return warning(seen, 'Memory is running short.', mend)
  return ok(seen)
}

/** Modes of files: whoever reads them can open every saved password. */
const OTHERS = 0o077
const SECRET_KEY = 'secret-key'
/** As root, PostgreSQL runs under another account, which has to pass through. */
const PASS_THROUGH = 0o011

/** The secret key and the database's password are for Howl alone. */
export async function checkFiles({ config }: HealthContext) {
  const { dataDir, secretKey } = config
  const allowed = process.getuid?.() === 0 ? PASS_THROUGH : 0
  const files = [...(secretKey === null ? [SECRET_KEY] : []), 'postgres.password']
  const open: Finding[] = []
  const close = async (place: string, mode: number, may: number) => {
    if ((mode & OTHERS & ~may) === 0) return
    open.push(
      failure(
        `${place} can be opened by other accounts of this server (mode ${(mode & 0o777).toString(8)}).`,
        'Whoever reads it can open the saved passwords of all mailboxes.',
        `Run: chmod ${may === PASS_THROUGH ? '711' : place === dataDir ? '700' : '600'} ${place}`,
      ),
    )
  }
  const folder = await stat(dataDir)
  await close(dataDir, folder.mode, allowed)
  for (const name of files) {
    const place = path.join(dataDir, name)
    const found = await stat(place).catch(() => null)
    if (found !== null) await close(place, found.mode, 0)
    else if (name === SECRET_KEY)
      open.push(
        failure(
          `${place} is not there.`,
          'Without it the saved passwords of mailboxes cannot be opened.',
          'Bring the file back from a backup before Howl is started again: a new one fits nothing.',
        ),
      )
  }
  if (open.length > 0) return open
  return ok(
    secretKey === null
      ? 'Only Howl can open the secret key.'
      : 'The secret key stands in the settings. Only Howl can open the data folder.',
  )
}

/** This server's clock, compared with the database's and with a server elsewhere. */
export async function checkClock(context: HealthContext, signal: AbortSignal) {
  const { clock, db } = context
  const asked = clock.now()
  const { now } = await databaseFigures(db)
  const middle = new Date((asked.getTime() + clock.now().getTime()) / 2)
  return [
    compared(context, 'Database', 'the database', secondsBetween(now, middle), 0),
    await comparedElsewhere(context, signal),
  ]
}

async function comparedElsewhere(context: HealthContext, signal: AbortSignal): Promise<Finding> {
  const { clock, config } = context
  const subject = 'Internet'
  const source = config.exchangeRatesUrl ?? config.model?.baseUrl ?? null
  if (source === null)
    return about(subject, unknown('Howl asks no server on the internet that could tell the time.'))
  const host = new URL(source).hostname
  const asked = clock.now()
  const answer = await askAddress(new URL(source).origin, signal, 'HEAD').catch(() => null)
  if (answer === null || answer.date === null)
    return about(subject, unknown(`${host} could not be asked for the time.`))
  const middle = new Date((asked.getTime() + clock.now().getTime()) / 2)
  return compared(context, subject, host, secondsBetween(answer.date, middle), 1)
}

/** @param blur how exactly the other clock tells its time, in seconds */
function compared(
  { limits }: HealthContext,
  subject: string,
  other: string,
  difference: number,
  blur: number,
): Finding {
  const off = Math.max(0, Math.abs(difference) - blur)
  const seen =
    off < 1
      ? `The clock agrees with ${other}.`
      : `The clock is ${span(off)} ${difference > 0 ? 'ahead of' : 'behind'} ${other}.`
  const mend = 'Switch on time synchronization on the server: timedatectl set-ntp true'
  if (off >= limits.clockWrong)
    return about(
      subject,
      failure(seen, 'Codes of two-step sign-in fail, and mails carry a wrong time.', mend),
    )
  if (off >= limits.clockOff) return about(subject, warning(seen, 'The clock is not right.', mend))
  return about(subject, ok(seen))
}
