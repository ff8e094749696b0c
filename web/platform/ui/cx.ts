/** Joins class names and leaves out false or missing ones. */
export const cx = (...parts: ReadonlyArray<string | false | null | undefined>) =>
  parts.filter(Boolean).join(' ')
