import { Skeleton } from '#web/platform/ui/Skeleton.tsx'

/** Shown in place of the text while it is generated. */
export function Generating({ label }: { label: string }) {
  return (
    <output aria-busy="true" aria-label={label} className="flex flex-col gap-3 py-2">
      {['w-1/3', 'w-11/12', 'w-4/5', 'w-5/6', 'w-1/2'].map((width) => (
        <Skeleton key={width} className={`h-3.5 ${width}`} />
      ))}
    </output>
  )
}
