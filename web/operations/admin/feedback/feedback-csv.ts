import Papa from 'papaparse'
import type { FeedbackRow } from '#contract/operations/admin-feedback.ts'
import { escapeFormula, needsQuotes } from '#contract/formats/formula-escape.ts'

/** The columns of the file, named as the calls name them. */
export const FEEDBACK_COLUMNS = [
  'id',
  'email',
  'full_name',
  'company_name',
  'pricing_tier',
  'deleted_at',
  'feedback_category',
  'feedback_custom_category',
  'feedback_rating',
  'feedback_details',
  'improvements_suggested',
  'competitor_switched_to',
  'contact_consent',
  'contact_method',
  'account_age_days',
] as const satisfies readonly (keyof FeedbackRow)[]

/** Without it, spreadsheets mistake UTF-8 for a legacy encoding. */
const BOM = '\uFEFF'
const NEWLINE = '\r\n'

/** Feedback as CSV (RFC 4180), with a first line of column names; no value runs as a formula in a spreadsheet. */
export async function feedbackCsv(rows: readonly FeedbackRow[]): Promise<Blob> {
  const lines = rows.map((row) => FEEDBACK_COLUMNS.map((column) => cellOf(row[column])))
  const text = Papa.unparse([[...FEEDBACK_COLUMNS], ...lines], { newline: NEWLINE, quotes: needsQuotes })
  return new Blob([BOM, text, NEWLINE], { type: 'text/csv;charset=utf-8' })
}

/** "feedback-data-2026-03-09.csv", by the day in this time zone. */
export function feedbackFileName(now: Date, timeZone: string): string {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now)
  return `feedback-data-${day}.csv`
}

function cellOf(value: FeedbackRow[keyof FeedbackRow]): string {
  // A number is never a formula, also below 0.
  if (typeof value === 'number') return String(value)
  return escapeFormula(String(value ?? '').replaceAll(/\r\n?/g, '\n'))
}
