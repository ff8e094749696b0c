import { Skeleton } from '#web/platform/ui/Skeleton.tsx'

/** A few lines of text that are on their way. */
export function Lines() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      {['w-3/4', 'w-1/2', 'w-2/3', 'w-3/5'].map((width) => (
        <Skeleton key={width} className={`h-4 ${width}`} />
      ))}
    </div>
  )
}
