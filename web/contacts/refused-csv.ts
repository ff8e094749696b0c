import type { ImportResult } from '#contract/contacts.ts'

const quoted = (text: string) => `"${(/^['=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** The refused rows as a CSV file, to be put right and imported again; formulas are escaped as in the export. */
export function refusedCsv(refused: ImportResult['refused']): string {
  const lines = refused.map(({ line, email, reason }) => `${line},${quoted(email)},${quoted(reason)}`)
  return `\uFEFF${['Line,Email,Reason', ...lines].join('\r\n')}\r\n`
}

/** Lets the browser save the refused rows. */
export function saveRefused(refused: ImportResult['refused'], fileName: string): void {
  const address = URL.createObjectURL(new Blob([refusedCsv(refused)], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName.replace(/\.csv$/i, '-refused.csv')
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
