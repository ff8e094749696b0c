const formats = new Map<string, Intl.DateTimeFormat>()

/** A cached date formatter. Creating one costs more than a hundred uses, and lists show dates in every row. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${locale} ${JSON.stringify(options)}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(locale, options)
  formats.set(name, format)
  return format
}
