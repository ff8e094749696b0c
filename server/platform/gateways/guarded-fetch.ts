import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { type DialGuard, isPublicAddress } from '#server/platform/security/addresses.ts'
import { dialFailureKind, dialWords } from './dial-failure.ts'
import { asResponse, dialHttp } from './dial-http.ts'
import { ModelFailure } from './model-failure.ts'

/** A server that is there takes a connection within this time, however long its answer takes. */
const CONNECT_MS = 10_000

const NOT_ALLOWED =
  'This address may not be used for a model. It must be a public server on port 443, or on a port that the operator allows.'
const NOT_FOUND = 'The server could not be reached. Check the address.'
const NO_TRUST = 'No trusted encrypted connection to the server was possible. Check the address.'
const PLAIN_TEXT = 'Please begin the address with https://: the mails would travel unencrypted otherwise.'
const SENT_ON = 'The server sends us on to another address. Enter that address itself.'

/**
 * A `fetch` for the address of a user's own model. The guard checks the host each time, and exactly the checked address is
 * dialled, so a name that answers differently the second time gains nothing. Redirects are refused. Only a server
 * inside the network is spoken to in plain text. Bodies of requests are strings.
 *
 * @throws {ModelFailure} with a sentence that says what to do; the reason of the signal
 */
export function guardedFetch(guard: DialGuard): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const signal = init.signal ?? undefined
    try {
      const response = await dial(url, init, signal, guard)
      const { statusCode: status = 502 } = response
      if (status >= 300 && status < 400) {
        response.destroy()
        throw new ModelFailure('refused', SENT_ON)
      }
      return await asResponse(response, (answer) => Readable.toWeb(answer) as ReadableStream<Uint8Array>)
    } catch (error) {
      signal?.throwIfAborted()
      throw failureOf(error)
    }
  }
}

async function dial(
  url: URL,
  init: RequestInit,
  signal: AbortSignal | undefined,
  guard: DialGuard,
): Promise<IncomingMessage> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new ModelFailure('refused', NOT_ALLOWED)
  const withoutPlainText: DialGuard = {
    ...guard,
    async resolve(host, port) {
      const target = await guard.resolve(host, port)
      if (url.protocol === 'http:' && isPublicAddress(target.address))
        throw new ModelFailure('refused', PLAIN_TEXT)
      return target
    },
  }
  return dialHttp(url, withoutPlainText, {
    method: init.method,
    headers: Object.fromEntries(new Headers(init.headers)),
    body: typeof init.body === 'string' ? init.body : undefined,
    signal,
    connectMs: CONNECT_MS,
  })
}

function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  switch (dialFailureKind(error)) {
    case 'not_allowed':
      return new ModelFailure('refused', NOT_ALLOWED, error)
    case 'certificate':
      return new ModelFailure('down', `${NO_TRUST} (${dialWords(error)})`, error)
    default:
      return new ModelFailure('down', NOT_FOUND, error)
  }
}
