import type { Endpoint, ReplyOf } from '#contract/endpoint.ts'
import { refused } from './call.ts'
import { networkError, readJson, unreadableError } from './errors.ts'
import { addressOf, headersOf } from './request.ts'

export type UploadOptions = {
  /** Bytes of the request that have left, and all of them. */
  onProgress?: (sent: number, total: number) => void
  signal?: AbortSignal
}

/**
 * Sends one file as the field `file` of a form. It may take as long as it takes: there is no time-out but the signal.
 * XMLHttpRequest, because fetch cannot tell how much has left.
 *
 * @throws ApiError as `call` does; the signal's reason when aborted.
 */
export function upload<E extends Endpoint>(
  endpoint: E,
  file: File,
  options: UploadOptions = {},
): Promise<ReplyOf<E>> {
  const { onProgress, signal } = options
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error)
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    request.open(endpoint.method, addressOf(endpoint, undefined, undefined))
    for (const [name, value] of Object.entries(headersOf(endpoint, {}))) request.setRequestHeader(name, value)
    if (onProgress)
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total))
    request.addEventListener('error', () => reject(networkError()))
    request.addEventListener('abort', () => reject((signal?.reason as Error | undefined) ?? networkError()))
    request.addEventListener('load', () => {
      const reply = readJson(request.responseText)
      if (request.status >= 400) reject(refused(endpoint, request.status, request.responseText))
      else if (reply === undefined) reject(unreadableError(request.status))
      else resolve(reply as ReplyOf<E>)
    })
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop))
    signal?.addEventListener('abort', stop)
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}
