/** What a run is written from: "About you", a template of the user's, or one of the house, which is not the user's yet. */
export type WrittenFrom = { kind: 'you' } | { kind: 'own'; id: number } | { kind: 'house'; key: string }

export const ABOUT_YOU: WrittenFrom = { kind: 'you' }

/** The choice as the value of an option. */
export function optionOf(from: WrittenFrom): string {
  if (from.kind === 'own') return `own ${from.id}`
  return from.kind === 'house' ? `house ${from.key}` : ''
}

/** The choice that an option stands for. */
export function choiceOf(option: string): WrittenFrom {
  const [kind, name = ''] = option.split(' ')
  if (kind === 'own') return { kind, id: Number(name) }
  return kind === 'house' ? { kind, key: name } : ABOUT_YOU
}

/** The template that a call about a run names; nothing for "About you". */
export function askedTemplate(from: WrittenFrom): { template_id?: number } {
  return from.kind === 'own' ? { template_id: from.id } : {}
}
