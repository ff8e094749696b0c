import { Suspense, useRef, useState } from 'react'
import { useAddressQuery } from '#web/platform/address.ts'
import { DelayedInput } from '#web/platform/ui/DelayedInput.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { useSlash } from '#web/platform/ui/use-slash.ts'
import { type MailLocation, readPageLocation, SEARCH_MAX } from '../page/page-location.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const SearchHelp = lazyPart(() => import('./SearchHelp.tsx'), 'SearchHelp')

/** The search box of a folder. Help on operators shows below it while it is empty and focused. */
export function SearchBox({ location, className }: { location: MailLocation; className: string }) {
  const box = useRef<HTMLInputElement>(null)
  const [wanted, setWanted] = useState(false)
  // The current address: a search cleared elsewhere disappears here at once, even while the list is loading.
  const [query] = useAddressQuery()
  useSlash(box)
  return (
    <div
      onFocus={() => setWanted(true)}
      className={cx('group/search md:relative md:px-3 md:pt-3 md:pb-2', className)}
    >
      <Field label="Search emails" hideLabel>
        <DelayedInput
          value={readPageLocation(query).search}
          onRest={(text) => location.go({ search: text, page: 1 }, { replace: true })}
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
