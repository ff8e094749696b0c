import { lazy, Suspense, useRef, useState } from 'react'
import { DelayedInput } from '#web/ui/DelayedInput.tsx'
import { Field } from '#web/ui/Field.tsx'
import { SearchInput } from '#web/ui/SearchInput.tsx'
import { useSlash } from '#web/ui/use-slash.ts'
import { type MailPlace, SEARCH_MAX } from './mail-address.ts'

const SearchHelp = lazy(() => import('./SearchHelp.tsx').then((part) => ({ default: part.SearchHelp })))

/** The search of a folder; while it is empty and has the focus, what can be typed stands below it. */
export function SearchBox({ place }: { place: MailPlace }) {
  const box = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState(false)
  useSlash(box)
  return (
    <div onFocus={() => setWanted(true)} className="group/search relative px-3 pt-3 pb-2">
      <Field label="Search emails" hideLabel>
        <DelayedInput
          value={place.search}
          onRest={(text) => place.go({ search: text.trim(), page: 1 }, { replace: true })}
        >
          {(control) => (
            <SearchInput
              ref={box}
              maxLength={SEARCH_MAX}
              placeholder="Search emails..."
              {...control}
              className="peer"
              data-empty={control.value === '' || undefined}
            />
          )}
        </DelayedInput>
      </Field>
      {wanted ? (
        <Suspense fallback={null}>
          <SearchHelp />
        </Suspense>
      ) : null}
    </div>
  )
}
