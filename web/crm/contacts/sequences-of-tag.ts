import { type SequenceSummary, sequences } from '#contract/outreach/sequences.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { tagKey } from './tag-suggestions.ts'

type Uses = Pick<SequenceSummary, 'name' | 'state' | 'tags'>

/** What the sequences that have not ended do with tags; undefined: not known yet. */
export function useTagUses(): readonly Uses[] | undefined {
  const { data, isError } = useEndpoint(sequences.list)
  return isError ? [] : data?.filter(({ state }) => state !== 'ended')
}

/** "sequence “Slow bread”", "sequences “Cake” and “Slow bread”"; '' for none. */
function namesOf(uses: readonly Uses[], part: keyof Uses['tags'], tag: string): string {
  const key = tagKey(tag)
  const named = uses.filter(({ tags }) => tags[part].some((each) => tagKey(each) === key))
  const names = new Intl.ListFormat('en').format(named.map(({ name }) => `“${name}”`))
  return named.length === 0 ? '' : `${named.length === 1 ? 'sequence' : 'sequences'} ${names}`
}

/** What happens to contacts that get a tag: "“VIP” starts the sequence “Slow bread” for them."; '' if nothing does. */
export function startsText(uses: readonly Uses[], tag: string): string {
  const those = (state: Uses['state']) =>
    namesOf(
      uses.filter((each) => each.state === state),
      'starts',
      tag,
    )
  const [running, paused] = [those('running'), those('paused')]
  return [
    running === '' ? '' : `“${tag}” starts the ${running} for them.`,
    paused === '' ? '' : `“${tag}” adds them to the paused ${paused}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** What sequences lose with a tag, in sentences; '' if nothing. */
export function lossText(uses: readonly Uses[], tag: string): string {
  const [starts, asks, adds] = (['starts', 'asks', 'adds'] as const).map((part) => namesOf(uses, part, tag))
  return [
    starts === '' ? '' : `“${tag}” starts the ${starts}. Without the tag, no new contacts join that way.`,
    asks === '' ? '' : `A step of the ${asks} checks for it. No contact will have it.`,
    adds === '' ? '' : `A step of the ${adds} adds it, and will create it again.`,
  ]
    .filter(Boolean)
    .join(' ')
}
