import { connect, type DetailedPeerCertificate } from 'node:tls'
import { dialWords } from './dial-failure.ts'

// Addresses that the operator has set (PUBLIC_URL and others): no user chooses them, so they may be inside the network.

/** Bytes of an answer that are read. */
const ANSWER_BYTES_MAX = 10_000

/** What an address answered; `date` is its clock (RFC 9110 6.6.1), which has whole seconds. */
export type Answered = { status: number; text: string; date: Date | null; location: string | null }

/**
 * Asks an address once, without following it elsewhere.
 *
 * @throws Error with the words for what stopped it
 */
export async function askAddress(url: string, signal: AbortSignal, method = 'GET'): Promise<Answered> {
  try {
    const response = await fetch(url, { method, redirect: 'manual', signal })
    const text = await firstOf(response)
    const date = new Date(response.headers.get('date') ?? Number.NaN)
    return {
      status: response.status,
      text,
      date: Number.isNaN(date.getTime()) ? null : date,
      location: response.headers.get('location'),
    }
  } catch (error) {
    signal.throwIfAborted()
    const { cause } = error as { cause?: unknown }
    throw new Error(dialWords(cause ?? error), { cause: error })
  }
}

async function firstOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > ANSWER_BYTES_MAX) break
  }
  return Buffer.concat(pieces).toString()
}

export type ServerCertificate = {
  validTo: Date
  issuer: string
  /** Why browsers do not trust it; null where they do. */
  fault: string | null
}

/**
 * The certificate that a server shows, trusted or not.
 *
 * @throws Error with the words for what stopped it
 */
export async function certificateOf(
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<ServerCertificate> {
  const found = Promise.withResolvers<ServerCertificate>()
  const isAddress = /^[\d.]+$|:/.test(host)
  const socket = connect({
    host,
    port,
    ...(isAddress ? {} : { servername: host }),
    // It is only looked at: nothing is sent.
    rejectUnauthorized: false,
  })
  const giveUp = () => socket.destroy(new Error('it took too long'))
  signal.addEventListener('abort', giveUp, { once: true })
  socket.once('error', found.reject)
  socket.once('close', () => found.reject(new Error('the connection was closed')))
  socket.once('secureConnect', () => {
    const shown: DetailedPeerCertificate = socket.getPeerCertificate(true)
    // The type says Error, but it is the code of one.
    const fault = socket.authorizationError as unknown
    const { O: organization, CN: name } = shown.issuer
    found.resolve({
      validTo: new Date(shown.valid_to),
      issuer: [organization ?? name].flat()[0] ?? 'an unnamed authority',
      fault: socket.authorized ? null : String(fault instanceof Error ? fault.message : fault),
    })
  })
  try {
    return await found.promise
  } catch (error) {
    throw new Error(dialWords(error), { cause: error })
  } finally {
    signal.removeEventListener('abort', giveUp)
    socket.destroy()
  }
}
