import { describe, expect, it } from 'vitest'
import { changedFields } from './changed-fields.ts'
import { readAddress } from './contact-filters.ts'
import { lastContactText, notesPreview } from './contact-words.ts'
import { importStep } from './import-progress.ts'
import { refusedCsv } from './refused-csv.ts'

describe('the preview of notes', () => {
  it('is their first six words', () => {
    expect(notesPreview('one two\nthree  four five six')).toEqual({
      text: 'one two three four five six',
      isCut: false,
    })
    expect(notesPreview('one two three four five six seven')).toEqual({
      text: 'one two three four five six…',
      isCut: true,
    })
    expect(notesPreview(' ')).toEqual({ text: '', isCut: false })
  })
})

describe('the address of the page', () => {
  it('asks for what it names', () => {
    const asked = readAddress(
      new URLSearchParams('search=%20bert&status=replied&sort=-name&page=3&page_size=100'),
    )
    expect(asked).toEqual({
      filters: { search: 'bert', status: 'replied' },
      sort: '-name',
      page: 3,
      pageSize: 100,
    })
  })
  it('may hold anything: what no call would take is left aside', () => {
    const usual = { filters: {}, sort: 'newest', page: 1, pageSize: 50 }
    expect(readAddress(new URLSearchParams('status=rich&sort=age&page=-2&page_size=9'))).toEqual(usual)
    expect(readAddress(new URLSearchParams(`search=${'x'.repeat(201)}&status=all&page=x`))).toEqual(usual)
  })
})

describe('an edited contact', () => {
  it('is sent with its changed fields only', () => {
    const before = { id: 7, name: 'Bob', company: '', notes: 'Old' }
    expect(changedFields({ name: 'Bob', company: 'Build', notes: '' }, before)).toEqual({
      company: 'Build',
      notes: '',
    })
    expect(changedFields({ name: 'Bob' }, before)).toEqual({})
  })
})

describe('the last contact', () => {
  it('is a day of the zone, "Never" or "Invalid date"', () => {
    expect(lastContactText('2026-03-01T23:30:00.000Z', 'Europe/Berlin')).toBe('Mar 2, 2026')
    expect(lastContactText(null, 'Europe/Berlin')).toBe('Never')
    expect(lastContactText('soon', 'Europe/Berlin')).toBe('Invalid date')
  })
})

describe('the progress of an import', () => {
  it('goes on from upload to reading, and its end is open while it saves', () => {
    const told = (bytes: number) => ({ topic: 'import' as const, rows: bytes / 10, bytes, total_bytes: 1000 })
    const steps = [
      importStep(0, 1000, null),
      importStep(500, 1000, null),
      importStep(1000, 1000, null),
      importStep(1000, 1000, told(500)),
      importStep(1000, 1000, told(990)),
    ]
    const values = steps.map((step) => step.value ?? Number.NaN)
    expect(values).toEqual([...values].sort((one, other) => one - other))
    expect(steps[1]?.words).toBe('Uploading, 50%')
    expect(steps[3]?.words).toBe('Reading, 50 rows so far')
    expect(importStep(1000, 1000, told(1000))).toEqual({ words: 'Saving 100 rows…', value: undefined })
  })
})

describe('the file of refused rows', () => {
  it('holds quotes and formulas safely', () => {
    const csv = refusedCsv([{ line: 3, email: '=x"y', reason: 'Why, so' }])
    expect(csv).toBe('\uFEFFLine,Email,Reason\r\n3,"\'=x""y","Why, so"\r\n')
  })
})
