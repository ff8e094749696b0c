import { Send, SlidersHorizontal } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import {
  type FilterName,
  type Filters,
  FIRST_DAY,
  isUsualDay,
  LAST_DAY,
  MORE_FILTERS,
} from './contact-filters.ts'
import { STATUS_FILTER_OPTIONS } from './contact-text.ts'
import { DelayedInput } from '#web/platform/ui/DelayedInput.tsx'
import { TagFilter } from './TagFilter.tsx'
import { useSlash } from '#web/platform/ui/use-slash.ts'

/** The longest search or filter that the API accepts. */
const TEXT_MAX = 200

type FilterBarProps = {
  filters: Filters
  onFilter: (name: FilterName, value: string) => void
  /** Null if the list itself offers to clear the filters. */
  onClear: (() => void) | null
  /** Writes to all that match; null where nobody does. */
  onWrite: (() => void) | null
}

/** Search and status; below them the filters of "More Filters". */
export function FilterBar({ filters, onFilter, onClear, onWrite }: FilterBarProps) {
  const inUse = MORE_FILTERS.filter((name) => filters[name] !== undefined).length
  const [isOpen, setOpen] = useState(inUse > 0)
  const panel = useId()
  const search = useRef<HTMLInputElement>(null)
  useSlash(search)
  const hasAny = Object.keys(filters).length > 0
  return (
    <search aria-label="Contacts" className="flex flex-col gap-3 px-3 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <DelayedInput value={filters.search ?? ''} onRest={(value) => onFilter('search', value)}>
          {(control) => (
            <SearchInput
              {...control}
              ref={search}
              aria-label="Search contacts"
              aria-keyshortcuts="/"
              maxLength={TEXT_MAX}
              placeholder="Search contacts"
              className="flex-1 max-sm:basis-full sm:max-w-72"
            />
          )}
        </DelayedInput>
        <Select
          aria-label="Status"
          className="w-40 max-sm:flex-1"
          options={STATUS_FILTER_OPTIONS}
          value={filters.status ?? 'all'}
          onChange={(event) => onFilter('status', event.target.value)}
        />
        <TagFilter value={filters.tag} onChange={(value) => onFilter('tag', value)} />
        <Button
          icon={<SlidersHorizontal aria-hidden className="size-4" />}
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={() => setOpen(!isOpen)}
        >
          More Filters
        </Button>
        {hasAny && onClear !== null ? (
          <Button variant="plain" onClick={onClear}>
            Clear filters
          </Button>
        ) : null}
        {hasAny && onWrite !== null ? (
          <Button
            icon={<Send aria-hidden className="size-4" />}
            className="max-sm:w-full sm:ml-auto"
            onClick={onWrite}
          >
            Write to these
          </Button>
        ) : null}
      </div>
      <div id={panel} hidden={!isOpen} className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <TextFilter label="Company" name="company" filters={filters} onFilter={onFilter} />
        <TextFilter label="Position" name="position" filters={filters} onFilter={onFilter} />
        <TextFilter
          label="Email domain"
          name="email_domain"
          placeholder="example.com"
          filters={filters}
          onFilter={onFilter}
        />
        <DayFilter label="Last contact from" name="last_contact_from" filters={filters} onFilter={onFilter} />
        <DayFilter label="Last contact to" name="last_contact_to" filters={filters} onFilter={onFilter} />
        <OneChoice
          label="Emails"
          name="never_mailed"
          choice="Never mailed"
          filters={filters}
          onFilter={onFilter}
        />
        <OneChoice
          label="Invoices"
          name="opened_invoice"
          choice="Opened an invoice"
          filters={filters}
          onFilter={onFilter}
        />
      </div>
    </search>
  )
}

type OneFilter = Pick<FilterBarProps, 'filters' | 'onFilter'> & {
  label: string
  name: FilterName
  placeholder?: string
}

function TextFilter({ label, name, placeholder, filters, onFilter }: OneFilter) {
  return (
    <Field label={label}>
      <DelayedInput value={filters[name] ?? ''} onRest={(value) => onFilter(name, value)}>
        {(control) => (
          <TextInput
            {...control}
            placeholder={placeholder}
            maxLength={TEXT_MAX}
            autoComplete="off"
            autoCapitalize="none"
          />
        )}
      </DelayedInput>
    </Field>
  )
}

/** A filter that is on or off. */
function OneChoice({ label, name, choice, filters, onFilter }: OneFilter & { choice: string }) {
  return (
    <Field label={label}>
      <Select
        options={[
          { value: '', label: 'Any' },
          { value: 'true', label: choice },
        ]}
        value={filters[name] ?? ''}
        onChange={(event) => onFilter(name, event.target.value)}
      />
    </Field>
  )
}

const UNUSUAL_DAY = 'Please choose a day from 1970 to 2199'

/** A date filter. A date that is incomplete or in an implausible year filters nothing and stays as typed. */
function DayFilter({ label, name, filters, onFilter }: OneFilter) {
  const [fault, setFault] = useState<string | undefined>()
  return (
    <Field label={label} error={fault}>
      <DelayedInput
        value={filters[name] ?? ''}
        meaning={(typed) => (isUsualDay(typed) ? typed : '')}
        onRest={(day) => onFilter(name, day)}
      >
        {(control) => (
          <TextInput
            {...control}
            type="date"
            min={FIRST_DAY}
            max={LAST_DAY}
            onChange={(event) => {
              setFault(undefined)
              control.onChange(event)
            }}
            onBlur={() => {
              setFault(control.value === '' || isUsualDay(control.value) ? undefined : UNUSUAL_DAY)
              control.onBlur()
            }}
          />
        )}
      </DelayedInput>
    </Field>
  )
}
