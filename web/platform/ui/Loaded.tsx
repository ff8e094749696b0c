import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from './ErrorState.tsx'

export type Query<T> = Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>

type LoadedProps<T> = {
  query: Query<T>
  /** Shown with "Try again" if nothing could be loaded. */
  failed: string | ((error: Error) => string)
  /** Shown until the first answer. */
  waiting: ReactNode
  children: (data: T) => ReactNode
}

/** The answer of a query; until it is there a placeholder, or why it could not be loaded. */
export function Loaded<T>({ query, failed, waiting, children }: LoadedProps<T>) {
  const { data, error } = query
  if (data !== undefined) return children(data)
  if (error === null) return waiting
  return <LoadFailed query={query} message={typeof failed === 'string' ? failed : failed(error)} />
}

type LoadFailedProps = { query: { isFetching: boolean; refetch: () => unknown }; message: string }

/** Says that a query failed, and repeats it on request. */
export function LoadFailed({ query: { refetch, isFetching }, message }: LoadFailedProps) {
  return <ErrorState message={message} onRetry={() => void refetch()} busy={isFetching} />
}
