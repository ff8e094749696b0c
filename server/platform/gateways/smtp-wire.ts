import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { inside } from './nodemailer-inside.ts'

/** One reply of the server. `code` is NaN if it is not an SMTP reply. */
export type SmtpReply = { code: number; text: string }

/** An open connection below the level of commands: bytes out, replies in, in the order of the requests. */
export type SmtpWire = {
  /** The extensions of RFC 1870, 2920, 6152 and 6531 that the server announced. */
  readonly extensions: ReadonlySet<string>
  /** The largest mail that it accepts, in bytes; 0 if it does not say. */
  readonly maxBytes: number
  /** Why the connection is broken; undefined while it is usable. */
  readonly broken: Error | undefined
  /** Writes bytes to the socket. False if its buffer is full: then wait for `drained`. */
  write(bytes: Buffer | string): boolean
  drained(): Promise<void>
  /** The next reply that nobody is waiting for yet. Rejects if the connection breaks first. */
  reply(): Promise<SmtpReply>
  /** Ends the connection at once. Bytes that the kernel does not have yet are discarded. */
  close(why?: Error): void
}

type Waiting = PromiseWithResolvers<SmtpReply>

/**
 * Takes over the socket of a connection that Nodemailer has opened, encrypted and signed in. Nodemailer keeps its listeners
 * for errors and the end; replies come here. A reply that nobody asked for, an endless one, or anything that is not an SMTP
 * reply ends the connection.
 */
export function takeWire(connection: SMTPConnection, maxReplyBytes: number): SmtpWire {
  const { _socket: socket, _supportedExtensions, _maxAllowedSize: maxBytes } = inside(connection)
  if (!socket) throw new Error('This SMTP connection has no socket')
  const waiting: Waiting[] = []
  let draining: PromiseWithResolvers<void> | undefined
  let broken: Error | undefined

  const markBroken = (why: Error) => {
    if (broken !== undefined) return
    broken = why
    for (const { reject } of waiting.splice(0)) reject(why)
    draining?.reject(why)
  }
  const close = (why: Error = new Error('Connection closed')) => {
    markBroken(why)
    connection.close()
  }
  const receive = (reply: SmtpReply) => {
    const first = waiting.shift()
    if (first === undefined) return close(new Error(`Unexpected reply: ${reply.text}`))
    first.resolve(reply)
    // RFC 5321 3.8: after 421 the server closes the connection, and so do we.
    if (reply.code === 421 || Number.isNaN(reply.code)) close(new Error(reply.text))
    return undefined
  }
  const reader = replyReader(maxReplyBytes)
  socket.removeAllListeners('data')
  socket.setTimeout(0)
  socket.on('data', (bytes: Buffer) => {
    for (const reply of reader.read(bytes)) if (broken === undefined) receive(reply)
    if (reader.tooLong()) close(new Error('Server response exceeds maximum allowed size'))
  })
  socket.on('drain', () => {
    draining?.resolve()
    draining = undefined
  })
  connection.on('error', markBroken)
  connection.on('end', () => {
    const last = reader.rest()
    if (broken === undefined && last !== undefined && last.code >= 400) receive(last)
    markBroken(new Error('Connection closed'))
  })

  return {
    extensions: new Set(_supportedExtensions),
    maxBytes,
    get broken() {
      return broken ?? (connection.destroyed || socket.destroyed ? new Error('Connection closed') : undefined)
    },
    write: (bytes) => socket.write(bytes),
    drained: () => {
      if (broken !== undefined) return Promise.reject(broken)
      draining ??= Promise.withResolvers()
      return draining.promise
    },
    reply: () => {
      if (broken !== undefined) return Promise.reject(broken)
      const entry = Promise.withResolvers<SmtpReply>()
      // Replies to what was sent ahead may be awaited later or never.
      entry.promise.catch(() => {})
      waiting.push(entry)
      return entry.promise
    },
    close,
  }
}

/** Splits incoming bytes into replies: lines that begin with the same code, the last one without a hyphen (RFC 5321 4.2.1). */
function replyReader(maxBytes: number) {
  let line = ''
  let before = ''

  const replyOf = (text: string): SmtpReply => ({
    code: /^[2-5]\d\d(?:[ -]|$)/.test(text) ? Number(text.slice(0, 3)) : Number.NaN,
    // The bytes were read as Latin-1; this decodes them as UTF-8.
    text: Buffer.from(text, 'latin1').toString('utf8'),
  })
  return {
    read(bytes: Buffer): SmtpReply[] {
      const lines = (line + bytes.toString('latin1')).split('\n')
      line = lines.pop() ?? ''
      const replies: SmtpReply[] = []
      for (const each of lines) {
        const text = each.endsWith('\r') ? each.slice(0, -1) : each
        if (text.trim() === '' && before === '') continue
        if (/^\d{3}-/.test(text)) {
          before += `${text}\n`
          continue
        }
        replies.push(replyOf(before + text))
        before = ''
      }
      return replies
    },
    tooLong: () => line.length + before.length > maxBytes,
    /** A reply whose line end is missing because the connection ended. */
    rest: () => (/^\d{3}[ -]/.test(line) ? replyOf(before + line) : undefined),
  }
}
