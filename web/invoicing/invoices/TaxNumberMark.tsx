import { Badge } from '#web/platform/ui/Badge.tsx'

/** Says whether a tax number is one of the country; nothing while there is none. */
export function TaxNumberMark({ isValid }: { isValid: boolean | null }) {
  return (
    <output>
      {isValid === null ? null : (
        <Badge tone={isValid ? 'green' : 'red'}>{isValid ? 'Valid' : 'Invalid'}</Badge>
      )}
    </output>
  )
}
