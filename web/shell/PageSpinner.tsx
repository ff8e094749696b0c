import { Spinner } from '#web/platform/ui/Spinner.tsx'

/** Shown in place of a page while it loads. It appears late, so that a quick load shows nothing. */
export function PageSpinner() {
  return (
    <div className="grid min-h-60 animate-[rise_200ms_250ms_both] place-items-center py-16">
      <Spinner label="Loading..." />
    </div>
  )
}
