import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { templates } from '#contract/outreach/templates.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import type { Estimate } from './plan.ts'
import { counted } from './run-text.ts'
import { gapText } from '../templates/gap-text.ts'
import { newTemplatePath, templatePath } from '../templates/template-paths.ts'
import { choiceOf, optionOf, type WrittenFrom } from './written-from.ts'

type WrittenFromFieldProps = {
  from: WrittenFrom
  onChoose: (from: WrittenFrom) => void
  estimate: Estimate
  /** A link to another page was followed. */
  onLeave: (event: MouseEvent) => void
  /** Whom the template has gaps for is listed elsewhere. */
  isListed?: boolean
}

/** The choice of what a run is written from, and what is to be known of the chosen template. */
export function WrittenFromField({ from, onChoose, estimate, onLeave, isListed }: WrittenFromFieldProps) {
  const { data: own = [] } = useEndpoint(templates.list)
  const { data: house = [] } = useEndpoint(templates.house, { staleTime: Infinity })
  const isGone = from.kind === 'own' && !own.some(({ id }) => id === from.id)
  const fault = from.kind === 'own' ? (estimate.template?.fault ?? undefined) : undefined
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Written from"
        error={fault}
        help={
          from.kind === 'house'
            ? 'It shows examples in square brackets. Put your own words there first.'
            : undefined
        }
        aside={
          <Link to={newTemplatePath()} onClick={onLeave} className="text-link">
            Write a template
          </Link>
        }
      >
        <Select value={optionOf(from)} onChange={({ target }) => onChoose(choiceOf(target.value))}>
          <option value="">About you</option>
          {own.length === 0 && !isGone ? null : (
            <optgroup label="Your templates">
              {isGone ? (
                <option value={optionOf(from)}>{estimate.template?.name || 'The chosen template'}</option>
              ) : null}
              {own.map(({ id, name }) => (
                <option key={id} value={optionOf({ kind: 'own', id })}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
          {house.length === 0 ? null : (
            <optgroup label="To begin with">
              {house.map(({ key, name }) => (
                <option key={key} value={optionOf({ kind: 'house', key })}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
        </Select>
      </Field>
      {from.kind === 'house' ? (
        <Way to={newTemplatePath(from.key)} onLeave={onLeave}>
          Make it yours
        </Way>
      ) : null}
      {from.kind === 'own' && fault !== undefined && !isGone ? (
        <Way to={templatePath(from.id)} onLeave={onLeave}>
          Open the template
        </Way>
      ) : null}
      {from.kind === 'own' && estimate.with_gap > 0 ? (
        <div className="rounded-md bg-amber-soft px-3 py-2 text-sm wrap-anywhere">
          <p>
            <span className="font-semibold">
              {counted(estimate.with_gap, 'contact')} would have a gap in their email, and get none.
            </span>{' '}
            {isListed === true ? null : estimate.gaps.map(gapText).join(' ')}{' '}
            <Link to={templatePath(from.id)} onClick={onLeave} className="text-link">
              Give it a default, or a condition
            </Link>
          </p>
        </div>
      ) : null}
    </div>
  )
}

function Way({
  to,
  onLeave,
  children,
}: {
  to: string
  onLeave: (event: MouseEvent) => void
  children: ReactNode
}) {
  return (
    <p className="text-sm">
      <Link to={to} onClick={onLeave} className="text-link">
        {children}
      </Link>
    </p>
  )
}

/** True unless the choice has to be changed before anything can be sent. */
export function canBeSent(from: WrittenFrom, estimate: Estimate): boolean {
  return from.kind === 'you' || (from.kind === 'own' && (estimate.template?.fault ?? null) === null)
}
