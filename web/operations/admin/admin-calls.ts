import { keepPreviousData } from '@tanstack/react-query'
import type { Endpoint, ReplyOf } from '#contract/platform/endpoint.ts'
import { call } from '#web/platform/api/call.ts'
import { ApiError } from '#web/platform/api/errors.ts'
import { type CommandOptions, type ReadOptions, useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import type { CallOptions } from '#web/platform/api/request.ts'
import { clearAdminSession, readAdminToken } from './admin-session.ts'

/**
 * Makes a call of administrators, with their own token. A session that is over, or of somebody who is no administrator any
 * more, is forgotten: the guard then shows the way to the log-in.
 *
 * @throws ApiError
 */
export async function adminCall<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<ReplyOf<E>> {
  const token = readAdminToken()
  if (token === null) throw new ApiError('answer', 401, 'No admin token found')
  try {
    return await call(endpoint, { ...options, token })
  } catch (error) {
    const { status } = error as { status?: number | null }
    // Another session may have been opened meanwhile.
    if ((status === 401 || status === 403) && readAdminToken() === token) clearAdminSession()
    throw error
  }
}

/** `useEndpoint` for calls of administrators. What was loaded before stays while another page loads. */
export const useAdminEndpoint = <E extends Endpoint>(endpoint: E, options: ReadOptions<E> = {}) =>
  useEndpoint(endpoint, { placeholderData: keepPreviousData, ...options }, adminCall)

/** `useCommand` for calls of administrators. */
export const useAdminCommand = <E extends Endpoint>(endpoint: E, options: CommandOptions<E> = {}) =>
  useCommand(endpoint, options, adminCall)
