import { Skeleton } from '#web/platform/ui/Skeleton.tsx'

/** Shown in place of a mail's text while it loads. */
export function LoadingMail() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3 p-4 lg:p-6">
      {['w-1/3', 'w-11/12', 'w-4/5', 'w-5/6', 'w-1/2'].map((width) => (
        <Skeleton key={width} className={`h-3.5 ${width}`} />
      ))}
    </div>
  )
}
