/** Words of a server as a sentence: other sentences may follow. */
export function asSentence(words: string): string {
  const text = words.trimEnd()
  return text === '' || /[.!?…]["”’)]?$/.test(text) ? text : `${text}.`
}

/** A trouble, and when it is tried again where the mail server asked for a wait. */
export function toldTrouble(words: string, waitsUntil: string | null, now: Date): string {
  return waitsUntil === null ? words : `${asSentence(words)} ${nextTry(new Date(waitsUntil), now)}`
}

/** When something is tried again, in a sentence. */
export function nextTry(at: Date, now: Date): string {
  const minutes = Math.ceil((at.getTime() - now.getTime()) / 60_000)
  if (minutes <= 1) return 'Howl tries again within a minute.'
  if (minutes < 120) return `Howl tries again in ${minutes} minutes.`
  const hours = Math.round(minutes / 60)
  return hours < 48
    ? `Howl tries again in ${hours} hours.`
    : `Howl tries again in ${Math.round(hours / 24)} days.`
}
