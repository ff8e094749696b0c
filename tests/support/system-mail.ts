import { setTimeout as pause } from 'node:timers/promises'
import { parseMail, type ParsedMail } from '#server/formats/mail-text/parse.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { meanwhile } from './reading.ts'
import type { SmtpSink } from './smtp-sink.ts'
import type { TestApp } from './test-app.ts'

const TIMEOUT_MS = 20_000
const LOOK_EVERY_MS = 50
const CONFIRMATION = 'Please confirm your email address'

/** The environment of a Howl whose own mails arrive at the sink. */
export function systemMailTo(sink: Pick<SmtpSink, 'port'>): Record<string, string> {
  return { SYSTEM_SMTP_URL: `smtp://127.0.0.1:${sink.port}?from=howl@muster.example` }
}

/** The answer to a call that waits until a mail from Howl has left: no worker runs, so it is noted here as sent. */
export function withMailSent<T>({ context }: Pick<TestApp, 'context'>, answer: Promise<T>): Promise<T> {
  const sent = `UPDATE system_mails SET state = 'sent', content_box = NULL WHERE state = 'waiting'`
  return meanwhile(() => runSql(context.db, sent), answer)
}

/** Mails from Howl itself to an address, the oldest first. */
async function systemMailsTo(sink: SmtpSink, address: string): Promise<ParsedMail[]> {
  const mails = sink.received.filter(({ envelope }) => envelope.to.includes(address))
  return Promise.all(mails.map(({ raw }) => parseMail(raw)))
}

/**
 * The newest mail from Howl to an address, once there are `count` of them; the one that every sign-up is followed by is not
 * among them.
 *
 * @throws Error when they do not come in time
 */
export async function newestSystemMail(sink: SmtpSink, address: string, count = 1): Promise<ParsedMail> {
  return newestOf(sink, address, count, ({ subject }) => subject !== CONFIRMATION)
}

/** The newest mail from Howl to an address with this subject, once it is there. */
export async function systemMailOn(sink: SmtpSink, address: string, on: string): Promise<ParsedMail> {
  return newestOf(sink, address, 1, ({ subject }) => subject === on)
}

/** The address that the newest confirmation mail leads to, once there are `count` of them. */
export async function confirmationLink(sink: SmtpSink, address: string, count = 1): Promise<string> {
  const { text } = await newestOf(sink, address, count, ({ subject }) => subject === CONFIRMATION)
  return /https?:\/\/\S+\/confirm-email\?token=[\w-]+/.exec(text)?.[0] ?? ''
}

async function newestOf(
  sink: SmtpSink,
  address: string,
  count: number,
  isWanted: (mail: ParsedMail) => boolean,
): Promise<ParsedMail> {
  const until = Date.now() + TIMEOUT_MS
  for (;;) {
    const mails = (await systemMailsTo(sink, address)).filter(isWanted)
    const newest = mails.at(-1)
    if (newest !== undefined && mails.length >= count) return newest
    if (Date.now() > until) throw new Error(`${mails.length} of ${count} mails have come to ${address}`)
    await pause(LOOK_EVERY_MS)
  }
}
