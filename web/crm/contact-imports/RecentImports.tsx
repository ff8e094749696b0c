import { Suspense } from 'react'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'

const RecentImportsDialog = lazyPart(() => import('./RecentImportsDialog.tsx'), 'RecentImportsDialog')

/** A button that opens the imports of the last few days; nothing if there are none. */
export function RecentImports() {
  const recent = useEndpoint(contactImports.list)
  const dialog = useOpened<'imports'>()
  if ((recent.data ?? []).length === 0) return null
  return (
    <>
      {' · '}
      <button
        type="button"
        className="rounded-sm underline decoration-line underline-offset-3 hover:text-ink hover:decoration-current pointer-coarse:py-3"
        onClick={() => dialog.show('imports')}
      >
        Recent imports
      </button>
      {dialog.what === null ? null : (
        <Suspense fallback={null}>
          <RecentImportsDialog {...dialog.props} />
        </Suspense>
      )}
    </>
  )
}
