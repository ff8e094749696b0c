import { Spinner } from '#web/ui/Spinner.tsx'

/** Stands where a page will be. Comes in late, so that a quick load shows nothing at all. */
export function PageSpinner() {
  return (
    <div className="grid min-h-60 animate-[rise_200ms_250ms_both] place-items-center py-16">
      <Spinner label="Loading..." />
    </div>
  )
}
