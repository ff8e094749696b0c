import { Link, useParams } from 'react-router'
import { templates } from '#contract/outreach/templates.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { isFresh, useEndpoint } from '#web/platform/api/queries.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Loaded, LoadFailed } from '#web/platform/ui/Loaded.tsx'
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
  return (
    <Loaded query={house} failed="Failed to load the template" waiting={<Skeleton className="h-96" />}>
      {(all) => (
        <TemplateEditor key={from} id={null} start={all.find(({ key }) => key === from) ?? NOTHING} />
      )}
    </Loaded>
  )
}

/** A template of the user's own. */
export function EditTemplate() {
  const { id = '' } = useParams()
  const query = useEndpoint(templates.get, { params: { id: Number(id) }, staleTime: 0 })
  const { data, error } = query
  if (error !== null && (error.status === 404 || error.status === 400)) return <Missing />
  if (data === undefined && error !== null)
    return <LoadFailed query={query} message={sentenceOf(error, 'Failed to load the template')} />
  // The editor begins with what is stored now, and keeps what is typed from then on.
  if (data === undefined || !isFresh(query)) return <Skeleton className="h-96" />
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
