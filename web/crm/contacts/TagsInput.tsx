/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- the combobox of the ARIA Authoring Practices: a datalist offers one value, not the next of several */
import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { TAG_NAME_MAX, type TagColour, tags as tagCalls } from '#contract/crm/tags.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { useFieldControl } from '#web/platform/ui/Field.tsx'
import { startsText, useTagUses } from './sequences-of-tag.ts'
import { TagChip } from './TagChip.tsx'
import { suggestTags, tagKey } from './tag-suggestions.ts'

type TagsInputProps = {
  value: readonly string[]
  onChange: (names: string[]) => void
  /** Allows only one tag. */
  single?: boolean
  /** Contacts get the tags that are added: the sequences that these start are named. */
  isGiven?: boolean
}

/** Tags, chosen from the existing ones or created by typing a new name. */
export function TagsInput({ value, onChange, single = false, isGiven = false }: TagsInputProps) {
  const list = useId()
  const { data: tags = [] } = useEndpoint(tagCalls.list)
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  // No suggestion is active until the user types or presses an arrow key, so that Enter submits the form.
  const [at, setAt] = useState(-1)
  const { known, create } = suggestTags(tags, value, typed)
  const options = [
    ...known.map(({ name, colour }) => ({ name, colour, isNew: false })),
    ...(create === null ? [] : [{ name: create, colour: 'gray' as const, isNew: true }]),
  ]
  const shows = isOpen && options.length > 0
  const choose = (name: string | undefined) => {
    if (name === undefined) return
    onChange(single ? [name] : [...value, name])
    setTyped('')
    setAt(-1)
    if (single) setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && typed === '') return onChange(value.slice(0, -1))
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      setOpen(true)
      if (options.length > 0)
        setAt((Math.max(at, step === 1 ? -1 : 0) + step + options.length) % options.length)
    } else if ((event.key === 'Enter' || event.key === ',') && typed.trim() !== '') choose(options[at]?.name)
    else if (event.key === 'Enter' && shows && at >= 0) choose(options[at]?.name)
    else if (event.key === 'Escape' && shows) setOpen(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="relative">
      <div className={boxClass}>
        {value.map((name) => (
          <Chosen
            key={tagKey(name)}
            name={name}
            colour={tags.find((tag) => tagKey(tag.name) === tagKey(name))?.colour ?? 'gray'}
            onRemove={() => onChange(value.filter((each) => each !== name))}
          />
        ))}
        <input
          {...useFieldControl()}
          type="text"
          value={typed}
          maxLength={TAG_NAME_MAX}
          onChange={(event) => {
            setTyped(event.target.value)
            setOpen(true)
            setAt(0)
          }}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onBlur={() => {
            setOpen(false)
            // A name that was typed but not chosen still becomes a tag.
            if (typed.trim() !== '')
              choose(known.find(({ name }) => tagKey(name) === tagKey(typed))?.name ?? create ?? undefined)
          }}
          onKeyDown={onKeyDown}
          role="combobox"
          aria-expanded={shows}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={shows && at >= 0 ? `${list}-${at}` : undefined}
          autoComplete="off"
          placeholder={value.length === 0 ? 'Choose or type a new one' : ''}
          className="h-7 min-w-24 flex-1 bg-transparent px-1 text-base outline-none pointer-coarse:h-9 pointer-coarse:text-md"
        />
      </div>
      {/* What is typed becomes a tag as the form is sent. */}
      {isGiven ? <StartedSequences names={[...value, typed]} /> : null}
      <Options list={list} options={options} at={at} hidden={!shows} onChoose={choose} />
    </div>
  )
}

/** The sequences that contacts come into by tags which they did not have when this was first shown. */
function StartedSequences({ names }: { names: readonly string[] }) {
  const [before] = useState(names)
  const uses = useTagUses() ?? []
  const sentences = names
    .filter((name) => !before.some((each) => tagKey(each) === tagKey(name)))
    .flatMap((name) => startsText(uses, name.trim()) || [])
  return (
    <output className="mt-1.5 block text-sm wrap-anywhere text-ink-2 empty:hidden">
      {sentences.join(' ')}
    </output>
  )
}

type Option = { name: string; colour: TagColour; isNew: boolean }
type OptionsProps = {
  list: string
  options: readonly Option[]
  at: number
  hidden: boolean
  onChoose: (name: string) => void
}

function Options({ list, options, at, hidden, onChoose }: OptionsProps) {
  return (
    <ul id={list} role="listbox" aria-label="Tags" hidden={hidden} className={listClass}>
      {options.map(({ name, colour, isNew }, index) => (
        <li
          key={name}
          id={`${list}-${index}`}
          role="option"
          aria-selected={index === at}
          // The press must not move the focus before it has chosen a suggestion.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(name)
          }}
          className={cx(
            'flex cursor-default items-center gap-2 px-3 py-1.5 hover:bg-sunken',
            index === at && 'bg-sunken',
          )}
        >
          {isNew ? (
            <>
              <Plus aria-hidden className="size-3.5 text-ink-2" />
              <span className="min-w-0 truncate">Create “{name}”</span>
            </>
          ) : (
            <TagChip tag={{ name, colour }} className="max-w-full" />
          )}
        </li>
      ))}
    </ul>
  )
}

function Chosen({ name, colour, onRemove }: { name: string; colour: TagColour; onRemove: () => void }) {
  return (
    <Badge tone={colour} className="max-w-full rounded-sm! pr-0.5!">
      <span className="truncate">{name}</span>
      <button
        type="button"
        aria-label={`Remove tag ${name}`}
        onClick={onRemove}
        className="ml-0.5 grid size-4.5 shrink-0 place-items-center rounded-sm hover:bg-surface/60 pointer-coarse:size-7"
      >
        <X aria-hidden className="size-3" />
      </button>
    </Badge>
  )
}

const boxClass =
  'flex min-h-8.5 w-full flex-wrap items-center gap-1 rounded-md border border-control/70 bg-surface px-1.5 py-0.5 transition-colors ' +
  'hover:border-control focus-within:border-accent focus-within:outline-2 focus-within:outline-accent pointer-coarse:min-h-11'
const listClass =
  'absolute inset-x-0 top-full z-10 mt-1 max-h-64 overflow-y-auto rounded-md border border-line bg-surface py-1 shadow-float'
