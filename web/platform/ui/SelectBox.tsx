type SelectBoxProps = {
  label: string
  checked: boolean
  /** With `isRange` if Shift was held. */
  onChange: (checked: boolean, isRange: boolean) => void
  /** Some, but not all, of what it stands for is selected. */
  isPartial?: boolean
  disabled?: boolean
}

/** Selects a row of a list, or all of them. */
export function SelectBox({ label, checked, onChange, isPartial = false, disabled }: SelectBoxProps) {
  return (
    <label className="grid size-6 place-items-center pointer-coarse:size-11">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        ref={(box) => {
          if (box !== null) box.indeterminate = isPartial
        }}
        onChange={({ target, nativeEvent }) => onChange(target.checked, (nativeEvent as MouseEvent).shiftKey)}
        className="size-4 accent-accent pointer-coarse:size-5"
      />
    </label>
  )
}
