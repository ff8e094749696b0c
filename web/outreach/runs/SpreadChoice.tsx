import { useId } from 'react'
import type { Spread } from '#contract/outreach/runs.ts'
import { counted } from './run-text.ts'

type SpreadChoiceProps = { spread: Spread; isSpread: boolean; onSpread: (isSpread: boolean) => void }

/** The choice of whether a large run leaves today or over several days. */
export function SpreadChoice({ spread, isSpread, onSpread }: SpreadChoiceProps) {
  const { days, recommended, sent_lately: sent } = spread
  const name = useId()
  const choices = [
    { value: false, label: 'Send all today' },
    {
      value: true,
      label: `Spread over ${days} days${recommended ? ' (recommended for a new address)' : ''}`,
    },
  ]
  return (
    <fieldset aria-describedby={`${name}-sent`} className="mb-4 flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Sending pace</legend>
      {choices.map(({ value, label }) => (
        <label key={label} className="flex items-start gap-2.5 pointer-coarse:min-h-11">
          <input
            type="radio"
            name={name}
            checked={isSpread === value}
            onChange={() => onSpread(value)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          {label}
        </label>
      ))}
      <p id={`${name}-sent`} className="text-sm text-ink-2">
        {sent === 0 ? 'Nothing was' : `${counted(sent, 'email')} ${sent === 1 ? 'was' : 'were'}`} sent from
        this address in the last 30 days.
      </p>
    </fieldset>
  )
}
