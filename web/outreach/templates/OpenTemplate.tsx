import { Link, useParams } from 'react-router'
import { templates } from '#contract/outreach/templates.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { useAddressQuery } from '#web/platform/address.ts'
import { outreachPaths } from '../runs/outreach-tabs.ts'
import { TemplateEditor } from './TemplateEditor.tsx'

const NOTHING = { name: '', subject: '', body: '' }

/** A new template: empty, or with the text of one of the house. */
export function NewTemplate() {
  const [query] = useAddressQuery()
  const from = query.get('from')
  const house = useEndpoint(templates.house, { staleTime: Infinity, enabled: from !== null })
  if (from === null) return <TemplateEditor key="" id={null} start={NOTHING} />
  if (house.data === undefined && house.error !== null)
    return (
      <ErrorState
        message="Failed to load the template"
        onRetry={() => void house.refetch()}
        busy={house.isFetching}
      />
    )
  if (house.data === undefined) return <Skeleton className="h-96" />
  const found = house.data.find(({ key }) => key === from)
  return <TemplateEditor key={from} id={null} start={found ?? NOTHING} />
}

/** A template of the user's own. */
export function EditTemplate() {
  const { id = '' } = useParams()
  const { data, error, refetch, isFetching, isFetchedAfterMount } = useEndpoint(templates.get, {
    params: { id: Number(id) },
    staleTime: 0,
  })
  if (error !== null && (error.status === 404 || error.status === 400)) return <Missing />
  if (data === undefined && error !== null)
    return (
      <ErrorState
        message={sentenceOf(error, 'Failed to load the template')}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    )
  // The editor begins with what is stored now, and keeps what is typed from then on.
  if (data === undefined || !isFetchedAfterMount) return <Skeleton className="h-96" />
  return <TemplateEditor key={data.id} id={data.id} start={data} />
}

function Missing() {
  return (
    <EmptyState
      title="This template does not exist"
      action={
        <Link to={outreachPaths.templates} className={buttonClass()}>
          All templates
        </Link>
      }
    >
      It may have been deleted.
    </EmptyState>
  )
}
