import type { Endpoint, ReplyOf } from '#contract/platform/endpoint.ts'
import { refused } from './call.ts'
import { networkError, readJson, unreadableError } from './errors.ts'
import { addressOf, headersOf } from './request.ts'

type UploadOptions = {
  /** Bytes of the request sent so far, and in total. */
  onProgress?: (sent: number, total: number) => void
  signal?: AbortSignal
}

/**
 * Uploads one file as the form field `file`. There is no timeout; only the signal ends it. It uses XMLHttpRequest
 * because fetch does not report upload progress.
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
