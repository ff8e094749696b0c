import { cx } from './cx.ts'

const TONES = [
  'bg-purple-soft text-purple',
  'bg-blue-soft text-blue',
  'bg-green-soft text-green',
  'bg-amber-soft text-amber',
  'bg-gray-soft text-gray',
]

const SIZES = { s: 'size-6 text-[0.625rem]', m: 'size-8 text-xs', l: 'size-16 text-lg' }

type AvatarProps = {
  name: string
  src?: string | null | undefined
  size?: 's' | 'm' | 'l'
  className?: string
}

/** A picture, else the initials on a colour that is always the same for a person. Decorative: the name is beside it. */
export function Avatar({ name, src, size = 'm', className }: AvatarProps) {
  const frame = cx(
    'inline-grid shrink-0 place-items-center overflow-hidden rounded-full font-semibold select-none',
    SIZES[size],
    className,
  )
  if (src) return <img src={src} alt="" className={cx(frame, 'object-cover')} />
  return (
    // Rendered by the style sheet, so that the letters do not become part of the accessible name of a button around
    // them.
    <span
      aria-hidden
      data-initials={initials(name)}
      className={cx(frame, TONES[toneOf(name)], 'before:content-[attr(data-initials)]')}
    />
  )
}

function initials(name: string) {
  const words = name.trim().split(/\s+/u)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  // Array.from keeps characters outside the basic plane intact.
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase()
}

const toneOf = (name: string) =>
  Array.from(name).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % TONES.length
