import type SMTPConnection from 'nodemailer/lib/smtp-connection'

/** One reply of the server; `code` is NaN for what is none. */
export type SmtpReply = { code: number; text: string }

/** An open connection below the commands: bytes out, replies in, in the order of what was asked. */
export type SmtpWire = {
  /** Extensions of RFC 1870, 2920, 6152 and 6531 that the server has announced. */
  readonly extensions: ReadonlySet<string>
  /** The largest mail that it takes, in bytes; 0: it does not say. */
  readonly maxBytes: number
  /** Why the connection is no good any more; undefined while it is. */
  readonly broken: Error | undefined
  /** Hands bytes to the socket. False when it is full: wait for `drained`. */
  write(bytes: Buffer | string): boolean
  drained(): Promise<void>
  /** The next reply that nobody waits for yet. Rejects when the connection breaks first. */
  reply(): Promise<SmtpReply>
  /** Ends the connection at once; what the kernel has not got yet is thrown away. */
  close(why?: Error): void
}

type Waiting = PromiseWithResolvers<SmtpReply>

/**
 * Takes the socket of a connection that Nodemailer has opened, encrypted and signed in. Nodemailer keeps the listeners that
 * notice the end and errors; replies come here. A reply that nobody asked for, one without end and one that is none end
 * the connection.
 */
export function takeWire(connection: SMTPConnection, maxReplyBytes: number): SmtpWire {
  const socket = connection._socket
  if (!socket) throw new Error('This SMTP connection has no socket')
  const { _supportedExtensions: extensions = [], _maxAllowedSize: maxBytes } =
    connection as unknown as Announced
  const waiting: Waiting[] = []
  let drain: PromiseWithResolvers<void> | undefined
  let broken: Error | undefined

  const breakUp = (why: Error) => {
    if (broken !== undefined) return
    broken = why
    for (const { reject } of waiting.splice(0)) reject(why)
    drain?.reject(why)
  }
  const close = (why: Error = new Error('Connection closed')) => {
    breakUp(why)
    connection.close()
  }
  const take = (reply: SmtpReply) => {
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
    for (const reply of reader.read(bytes)) if (broken === undefined) take(reply)
    if (reader.tooLong()) close(new Error('Server response exceeds maximum allowed size'))
  })
  socket.on('drain', () => {
    drain?.resolve()
    drain = undefined
  })
  connection.on('error', breakUp)
  connection.on('end', () => {
    const last = reader.rest()
    if (broken === undefined && last !== undefined && last.code >= 400) take(last)
    breakUp(new Error('Connection closed'))
  })

  return {
    extensions: new Set(extensions),
    maxBytes: maxBytes || 0,
    get broken() {
      return broken ?? (connection.destroyed || socket.destroyed ? new Error('Connection closed') : undefined)
    },
    write: (bytes) => socket.write(bytes),
    drained: () => {
      if (broken !== undefined) return Promise.reject(broken)
      drain ??= Promise.withResolvers()
      return drain.promise
    },
    reply: () => {
      if (broken !== undefined) return Promise.reject(broken)
      const entry = Promise.withResolvers<SmtpReply>()
      // Replies to what was sent ahead may be asked for later, or never.
      entry.promise.catch(() => {})
      waiting.push(entry)
      return entry.promise
    },
    close,
  }
}

/** What Nodemailer has read from the answer to EHLO. */
type Announced = { _supportedExtensions?: string[]; _maxAllowedSize?: number }

/** Cuts what comes into replies: lines that begin with the same code, the last one without a hyphen (RFC 5321 4.2.1). */
function replyReader(maxBytes: number) {
  let line = ''
  let before = ''

  const replyOf = (text: string): SmtpReply => ({
    code: /^[2-5]\d\d(?:[ -]|$)/.test(text) ? Number(text.slice(0, 3)) : Number.NaN,
    // Only words beyond ASCII need to be read again as what they are.
    text: Buffer.from(text, 'latin1').toString('utf8'),
  })
  return {
    read(bytes: Buffer): SmtpReply[] {
      const lines = (line + bytes.toString('latin1')).split('\n')
      line = lines.pop() ?? ''
      const replies: SmtpReply[] = []
      for (const each of lines) {
        const words = each.endsWith('\r') ? each.slice(0, -1) : each
        if (words.trim() === '' && before === '') continue
        if (/^\d{3}-/.test(words)) {
          before += `${words}\n`
          continue
        }
        replies.push(replyOf(before + words))
        before = ''
      }
      return replies
    },
    tooLong: () => line.length + before.length > maxBytes,
    /** A reply that the end of the connection has cut short. */
    rest: () => (/^\d{3}[ -]/.test(line) ? replyOf(before + line) : undefined),
  }
}
