/** Joins class names, leaving out what is false or absent. */
export const cx = (...parts: ReadonlyArray<string | false | null | undefined>) =>
  parts.filter(Boolean).join(' ')
