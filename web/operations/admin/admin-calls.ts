import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { Endpoint, ReplyOf } from '#contract/platform/endpoint.ts'
import { call } from '#web/platform/api/call.ts'
import { ApiError } from '#web/platform/api/errors.ts'
import {
  type CommandInput,
  type CommandOptions,
  queryKeyOf,
  type ReadOptions,
  refresh,
  retryOnce,
} from '#web/platform/api/queries.ts'
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
export function useAdminEndpoint<E extends Endpoint>(
  endpoint: E,
  options: ReadOptions<E> = {},
): UseQueryResult<ReplyOf<E>, ApiError> {
  const { params, query, headers: _, timeoutMs: __, ...rest } = options
  const sent = {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
  } as CallOptions<E>
  return useQuery<ReplyOf<E>, ApiError>({
    queryKey: queryKeyOf(endpoint, 'reply', sent),
    queryFn: async ({ signal }) => (await adminCall(endpoint, { ...sent, signal })) ?? (null as ReplyOf<E>),
    placeholderData: keepPreviousData,
    retry: retryOnce,
    ...rest,
  })
}

/** `useCommand` for calls of administrators. */
export function useAdminCommand<E extends Endpoint>(endpoint: E, options: CommandOptions<E> = {}) {
  const client = useQueryClient()
  return useMutation<ReplyOf<E>, ApiError, CommandInput<E>>({
    mutationFn: (input) => adminCall(endpoint, input),
    onSuccess: (reply, input) => {
      for (const stale of options.refreshes ?? []) void refresh(client, stale)
      options.onSuccess?.(reply, input)
    },
    onError: (error, input) => options.onError?.(error, input),
  })
}
