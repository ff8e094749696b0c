import { ChevronDown } from 'lucide-react'
import { type FieldName, FIELDS } from '#contract/outreach/template-text/fields.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Menu } from '#web/platform/ui/Menu.tsx'

const CONDITIONS = [
  { name: 'company', label: 'Only if the company is known' },
  { name: 'first_name', label: 'Only if the first name is known' },
  { name: 'position', label: 'Only if the position is known' },
] as const

type FieldButtonsProps = { onField: (name: FieldName) => void; onCondition: (name: FieldName) => void }

/** Buttons that put a field or a condition where the cursor is. */
export function FieldButtons({ onField, onCondition }: FieldButtonsProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset would be a group of form controls
    <div role="group" aria-label="Put in" className="flex flex-wrap gap-1.5">
      {FIELDS.map(({ name, label }) => (
        <Button key={name} size="s" onClick={() => onField(name)}>
          {label}
        </Button>
      ))}
      <Menu
        label="Only if …"
        trigger={
          <>
            Only if …
            <ChevronDown aria-hidden className="size-3.5" />
          </>
        }
        entries={CONDITIONS.map(({ name, label }) => ({
          kind: 'action',
          label,
          onSelect: () => onCondition(name),
        }))}
        className={buttonClass('quiet', 's')}
      />
    </div>
  )
}
