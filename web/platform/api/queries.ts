import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { Endpoint, ReplyOf } from '#contract/platform/endpoint.ts'
import { call, callPage, type PageOf } from './call.ts'
import { type ApiError, isRefusal } from './errors.ts'
import type { CallOptions } from './request.ts'

export type ReadOptions<E extends Endpoint> = Pick<
  CallOptions<E>,
  'params' | 'query' | 'headers' | 'timeoutMs'
> & {
  enabled?: boolean
  /** Refetches this often, in milliseconds, while the tab is visible. */
  refetchInterval?: number | false
  /** How long an answer counts as fresh, in milliseconds. */
  staleTime?: number
  /** What was loaded before stays while something else loads. */
  placeholderData?: typeof keepPreviousData
}

type Call = <E extends Endpoint>(endpoint: E, options: CallOptions<E>) => Promise<ReplyOf<E>>

/** The first part of a query's key: all variants of one endpoint share it. */
const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`

/** The key of a query; `shape` distinguishes a page with its total from a bare reply. */
export function queryKeyOf(
  endpoint: Endpoint,
  shape: 'reply' | 'page',
  options: { params?: object; query?: object },
) {
  return [nameOf(endpoint), shape, options.params ?? {}, options.query ?? {}] as const
}

/** Retries once, but never a request that the server understood and refused. */
export const retryOnce = (failures: number, error: unknown) => failures < 1 && !isRefusal(error)

/** The reply of a read call, kept up to date. Administrators' calls are made by a `make` of their own. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  options: ReadOptions<E> = {},
  make: Call = call,
): UseQueryResult<ReplyOf<E>, ApiError> {
  const { params, query, headers, timeoutMs, ...rest } = options
  const sent = given<CallOptions<E>>({ params, query, headers, timeoutMs })
  return useQuery<ReplyOf<E>, ApiError>({
    queryKey: queryKeyOf(endpoint, 'reply', sent),
    // A query must not resolve to undefined, so an empty reply is null.
    queryFn: async ({ signal }) => (await make(endpoint, { ...sent, signal })) ?? (null as ReplyOf<E>),
    retry: retryOnce,
    ...rest,
  })
}

/**
 * Whether what a form begins with is fresh: what was known from an earlier look may be older than what is stored, and would be
 * written over it. Without a network it is all there is.
 */
export const isFresh = ({ isFetchedAfterMount, isFetching }: UseQueryResult): boolean =>
  isFetchedAfterMount || !isFetching

/** While some rows are not searchable yet, a search is repeated this often, in milliseconds. */
const RENEWED_EVERY_MS = 2000

/** The `refetchInterval` of a page: set only while some rows are not searchable yet. */
export const renewal = (page: { notSearchable?: number } | undefined): number | false =>
  (page?.notSearchable ?? 0) > 0 && RENEWED_EVERY_MS

/**
 * One page of a list with the total count. The previous page stays while the next one loads. A search is repeated until
 * all rows are searchable.
 */
export function usePage<E extends Endpoint>(
  endpoint: E,
  options: ReadOptions<E> = {},
): UseQueryResult<PageOf<E>, ApiError> {
  const { params, query, headers, timeoutMs, refetchInterval = false, ...rest } = options
  const sent = given<CallOptions<E>>({ params, query, headers, timeoutMs })
  return useQuery<PageOf<E>, ApiError>({
    queryKey: queryKeyOf(endpoint, 'page', sent),
    queryFn: ({ signal }) => callPage(endpoint, { ...sent, signal }),
    placeholderData: keepPreviousData,
    retry: retryOnce,
    refetchInterval: ({ state }) => renewal(state.data) || refetchInterval,
    ...rest,
  })
}

type CommandInput<E extends Endpoint> = Pick<
  CallOptions<E>,
  'params' | 'query' | 'body' | 'idempotencyKey' | 'timeoutMs'
>

export type CommandOptions<E extends Endpoint> = {
  /** Endpoints whose answers this call changes; they are refetched if they are on the screen. */
  refreshes?: readonly Endpoint[]
  onSuccess?: (reply: ReplyOf<E>, input: CommandInput<E>) => void
  onError?: (error: ApiError, input: CommandInput<E>) => void
}

/** A call that changes something: `mutate({ params, body })`. It is never retried automatically. */
export function useCommand<E extends Endpoint>(
  endpoint: E,
  options: CommandOptions<E> = {},
  make: Call = call,
) {
  const client = useQueryClient()
  return useMutation<ReplyOf<E>, ApiError, CommandInput<E>>({
    mutationFn: (input) => make(endpoint, input),
    onSuccess: (reply, input) => {
      for (const stale of options.refreshes ?? []) void refresh(client, stale)
      options.onSuccess?.(reply, input)
    },
    onError: (error, input) => options.onError?.(error, input),
  })
}

/** Refetches every variant of an endpoint that is on the screen and marks the others as stale. */
export function refresh(client: QueryClient, endpoint: Endpoint): Promise<void> {
  return client.invalidateQueries({ queryKey: [nameOf(endpoint)] })
}

function given<T extends object>(options: { [Name in keyof T]?: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}
