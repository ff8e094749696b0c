import type { Endpoint } from '#contract/platform/endpoint.ts'
import { refused } from './call.ts'
import { ApiError, networkError, timeoutError } from './errors.ts'
import { addressOf, type CallOptions, headersOf } from './request.ts'

/** The first byte must arrive within this time; the rest has no limit. */
const FIRST_BYTE_MS = 30_000
/** How long the object URL is kept, so that the browser has time to start saving the file. */
const KEEP_ADDRESS_MS = 60_000

/**
 * Downloads a file with the bearer token and lets the browser save it as `fileName`. If the server fails, asks once
 * more with the content type from the contract.
 *
 * @throws ApiError as `call` does.
 */
export async function download<E extends Endpoint>(
  endpoint: E,
  options: Pick<CallOptions<E>, 'params' | 'query' | 'signal'>,
  fileName: string,
): Promise<void> {
  const file = await fetchFile(endpoint, options, '*/*').catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) throw error
    return fetchFile(endpoint, options, endpoint.download ?? '*/*')
  })
  saveFile(file, fileName)
}

/**
 * Downloads a file with the bearer token.
 *
 * @throws ApiError as `call` does.
 */
export async function fetchFile<E extends Endpoint>(
  endpoint: E,
  options: Pick<CallOptions<E>, 'params' | 'query' | 'signal'>,
  accept = '*/*',
): Promise<Blob> {
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(), FIRST_BYTE_MS)
  const signal = options.signal === undefined ? slow.signal : AbortSignal.any([options.signal, slow.signal])
  try {
    const headers = headersOf(endpoint, { headers: { Accept: accept } })
    const response = await fetch(addressOf(endpoint, options.params, options.query), { headers, signal })
    clearTimeout(timer)
    if (response.status >= 400) throw refused(endpoint, response.status, await response.text())
    return await response.blob()
  } catch (error) {
    if (error instanceof ApiError || options.signal?.aborted === true) throw error
    throw slow.signal.aborted ? timeoutError() : networkError()
  } finally {
    clearTimeout(timer)
  }
}

/** Lets the browser save a file that is here already. */
export function saveFile(file: Blob, fileName: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), KEEP_ADDRESS_MS)
}
