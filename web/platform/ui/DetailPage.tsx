import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import type { Endpoint, ReplyOf } from '#contract/platform/endpoint.ts'
import { ApiError, sentenceOf } from '../api/errors.ts'
import { useEndpoint } from '../api/queries.ts'
import { Card } from './Card.tsx'
import { LoadFailed } from './Loaded.tsx'

type DetailPageProps<E extends Endpoint> = {
  /** Reads the thing by its id. */
  endpoint: E
  /** Said with "Try again" if it could not be loaded, and the server said nothing. */
  failed: string
  /** Shown if there is no such thing. */
  missing: ReactNode
  /** Shown until the first answer. */
  waiting: ReactNode
  children: (thing: ReplyOf<E>) => ReactNode
}

/** The page of the one thing whose id the address names. Once shown, it stays when a refetch fails, unless it is gone. */
export function DetailPage<E extends Endpoint>(props: DetailPageProps<E>) {
  const { endpoint, failed, missing, waiting, children } = props
  const { id = '' } = useParams()
  const isId = /^\d{1,15}$/.test(id)
  const query = useEndpoint(endpoint, { params: { id }, enabled: isId })
  const { data, error } = query
  if (!isId || (error instanceof ApiError && error.status === 404)) return missing
  if (data !== undefined) return children(data)
  if (error === null) return waiting
  return (
    <Card>
      <LoadFailed query={query} message={sentenceOf(error, failed)} />
    </Card>
  )
}
